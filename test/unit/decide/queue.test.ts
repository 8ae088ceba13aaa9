import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import { queueOf, whyIdle, workersAt } from '../../../src/decide/index.ts';
import type { AgentAvailability } from '../../../src/domain/records/choice.ts';
import type { JournalBody } from '../../../src/domain/records/journal.ts';
import {
  EMPTY_STATE,
  EMPTY_TASK_STATE,
  type PhaseState,
  type State,
  type TaskState,
  workplaceStateOf,
} from '../../../src/domain/records/state.ts';
import type { Task } from '../../../src/domain/task.ts';
import { foldRecords } from '../../../src/state/index.ts';
import { attemptSummary } from '../../helpers/facts.ts';
import { numbered, RUN } from '../state/records.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const task = (id: string, more: Partial<Task> = {}): Task => ({
  ...{ ...EMPTY_TASK, id, title: `Task ${id}`, status: 'open' },
  ...more,
});
const files = (...expectedPaths: string[]) => ({ expectedPaths });
const tasksOf = (known: Record<string, Partial<TaskState>>) =>
  Object.fromEntries(Object.entries(known).map(([id, one]) => [id, { ...EMPTY_TASK_STATE, ...one }]));

/** A worker at a task; `phase`: what follows after its agent. */
function place(worker: number, taskId: string, phase: Partial<PhaseState> | null = null) {
  const open = { run: 'r-1', iteration: worker, taskId, agent: 'mine', mode: 'speed' };
  const full: PhaseState | null =
    phase === null ? null : { name: 'turn', taskId, lands: true, since: at(5), ...phase };
  return {
    ...workplaceStateOf(EMPTY_STATE, { worker, worktree: 'main' }),
    phase: full,
    openIteration: full?.name === 'landing' ? null : { ...open, startedAt: at(1), timeoutSeconds: 60 },
  };
}

const READY: AgentAvailability = { name: 'mine', suspended: null, unavailable: null };
const LIMITED: AgentAvailability = {
  ...READY,
  unavailable: {
    ...{ kind: 'rate_limited', message: 'full', since: at(0), tries: 1, resetKnown: true },
    until: at(50),
  },
};

type Given = {
  readonly state?: Partial<State>;
  readonly workers?: number;
  readonly agent?: AgentAvailability;
  readonly control?: Partial<{ stop: 'after_attempt'; pausedAt: string; stoppedWorkers: number[] }>;
  readonly active?: boolean;
};

/** Returns lines such as "T-1 ready: starts next", in the order of the queue. */
function queue(tasks: readonly Task[], given: Given = {}): string[] {
  return queued(tasks, given).map(({ taskId, kind, why }) => `${taskId} ${kind}: ${why}`);
}

function queued(tasks: readonly Task[], given: Given) {
  const { state = {}, workers = 2, agent = READY, control = {}, active = true } = given;
  const availability = { agents: [agent], now: at(10), maxWaitSeconds: 7200, runUntil: null };
  const asked = { stop: null, pausedAt: null, stoppedWorkers: [], ...control };
  return queueOf({
    ...{ tasks, worktree: 'main', now: at(10), state: { ...EMPTY_STATE, ...state } },
    run: active ? { workers, control: asked, availability } : null,
  });
}

describe('a task that could start', () => {
  const open = [task('A', { priority: 2 }), task('B', { priority: 1 })];
  it.each<[string, Given, string]>([
    ['and nothing runs', { active: false }, 'B ready: starts with the next run'],
    ['and a worker is free', {}, 'B ready: starts next'],
    [
      'and none is',
      { workers: 1, state: { workplaces: [place(1, 'X')] } },
      'B ready: starts as soon as a worker is free',
    ],
    [
      'and the other one is stopped',
      { state: { workplaces: [place(1, 'X')] }, control: { stoppedWorkers: [2] } },
      'B ready: starts as soon as a worker is free',
    ],
    [
      'and the run is paused',
      { control: { pausedAt: at(1) } },
      'B ready: the run is paused (ralph continue)',
    ],
    [
      'and the run ends',
      { control: { stop: 'after_attempt' } },
      "B ready: isn't started in this run, which is ending (ralph stop)",
    ],
    [
      'and its agent has a usage limit',
      { agent: LIMITED },
      `B ready: a worker is free, but no agent: mine: usage limit (full), until ${at(50)}`,
    ],
    ['and you put another one first', { state: { first: ['A'] } }, 'A ready: starts next'],
    [
      'and an earlier one is unfinished',
      { state: { tasks: tasksOf({ A: { inProgress: true } }) } },
      'A ready: starts next',
    ],
  ])('%s', (_what, given, expected) => {
    const [first, second] = queue(open, given);
    expect(first).toBe(expected);
    expect(second).toBe(`${expected[0] === 'A' ? 'B' : 'A'} ready: starts after ${expected[0]}`);
  });
});

describe('a task that waits for another one', () => {
  const conflict = attemptSummary({ verdict: 'conflict' });
  const alone = { attempts: [conflict, conflict, conflict] };
  const both = [task('A', files('src/a.ts')), task('B', files('src/a.ts', 'src/b.ts'))];
  const workplaces = [place(1, 'A')];
  it.each<[string, readonly Task[], Partial<State>, string]>([
    [
      'for its files',
      both,
      { workplaces, keptApart: { B: at(4) } },
      `B apart: kept apart from A, as both may change src/a.ts; starts at ${at(14)} at the latest`,
    ],
    [
      'for its files, which no task waited for yet',
      both,
      { workplaces },
      'B apart: kept apart from A, as both may change src/a.ts',
    ],
    [
      'as it works alone',
      [task('A'), task('B')],
      { workplaces, tasks: tasksOf({ B: alone }) },
      'B apart: works alone after its conflicts, once A is over',
    ],
    [
      'that works alone',
      [task('A'), task('B')],
      { workplaces, tasks: tasksOf({ A: alone }) },
      'B apart: waits for A, which works alone after its conflicts',
    ],
    [
      'that it builds on',
      [task('A'), task('B', { dependsOn: ['A'] })],
      { workplaces },
      'B waiting: waiting for A (open)',
    ],
    [
      'whose result lands yet',
      [task('A', { status: 'done' }), task('B', { dependsOn: ['A'] })],
      { workplaces: [place(1, 'A', { name: 'landing' })] },
      'B waiting: waiting for A (landing)',
    ],
  ])('%s', (_what, tasks, state, expected) => {
    expect(queue(tasks, { state }).at(-1)).toBe(expected);
    const [, why = ''] = expected.split(': ');
    const verb = why.startsWith('w') && !why.startsWith('waiting') ? '' : 'is ';
    expect(whyIdle(queued(tasks, { state }))?.text).toBe(
      `B ${verb}${expected.slice(expected.indexOf(': ') + 2)}`,
    );
  });
});

it('begins with what is nearest to your branch, and ends with what is blocked', () => {
  const blocked = { ...EMPTY_TASK_STATE, parked: false };
  const state = foldRecords(EMPTY_STATE, [
    ...numbered([
      RUN,
      { type: 'commit_skipped', run: 'r-1', taskId: 'V', reason: 'git is at work.', command: 'ralph land V' },
      { type: 'queue_changed', taskIds: ['H'], change: 'held' },
    ]),
  ]);
  const workplaces = [
    place(1, 'W'),
    place(2, 'L', { name: 'landing' }),
    place(3, 'G', { name: 'gates' }),
    place(4, 'Q', { lands: false }),
    place(5, 'P', { since: at(7) }),
  ];
  const tasks = [
    task('B', { status: 'blocked' }),
    task('D', { dependsOn: ['B'] }),
    task('H', { status: 'parked' }),
    ...['W', 'Q', 'P', 'G', 'R'].map((id) => task(id)),
    task('L', { status: 'done' }),
    task('V', { status: 'done' }),
    task('Z', { status: 'done' }),
  ];
  const order = queue(tasks, {
    workers: 5,
    state: { ...state, workplaces, tasks: { ...state.tasks, B: blocked } },
  });
  expect(order).toEqual([
    `L landing: worker 2: lands, since ${at(5)}`,
    'V verified: waits: git is at work',
    `G gates: worker 3: gates run, since ${at(5)}`,
    `P turn: worker 5: waits for its turn (number 1), since ${at(7)}`,
    `Q turn: worker 4: waits for its turn (number 2), since ${at(5)}`,
    `W working: worker 1: mine works, since ${at(1)}`,
    'R ready: starts as soon as a worker is free',
    'D waiting: waiting for B (blocked)',
    'H held: you hold it back',
    'B blocked: marked as blocked in the task list',
  ]);
});

describe('a result that you held back', () => {
  const skipped = { type: 'commit_skipped', run: 'r-1', reason: 'you hold V back.', heldBy: 'V' } as const;
  const holds = (held: boolean): JournalBody => ({
    ...{ type: 'queue_changed', taskIds: ['V'], change: held ? 'held' : 'released' },
  });
  const records = [RUN, holds(true), ...['V', 'W'].map((taskId) => ({ ...skipped, taskId, command: 'x' }))];
  const tasks = [task('V', { status: 'done' }), task('W', { status: 'done' })];
  it.each([
    [[], 'verified: waits: you hold V back'],
    [[holds(false)], 'verified: waits: it lands with the next result'],
  ])('with %j', (more, expected) => {
    const state = foldRecords(EMPTY_STATE, numbered([...records, ...more]));
    expect(queue(tasks, { state })).toEqual([`V ${expected}`, `W ${expected}`]);
  });
});

describe('what workers are at', () => {
  it('is that of this work tree, by their numbers', () => {
    const workplaces = [
      { ...place(2, 'B', { name: 'gates' }) },
      place(1, 'A'),
      { ...place(1, 'X'), worktree: 'side' },
      workplaceStateOf(EMPTY_STATE, { worker: 3, worktree: 'main' }),
    ];
    const state = { ...EMPTY_STATE, workplaces };
    const known = workersAt({ state, tasks: [task('A'), task('B')], worktree: 'main' });
    expect(known).toEqual([
      { worker: 1, taskId: 'A', iteration: 1, agent: 'mine', phase: 'agent', since: at(1), place: null },
      { worker: 2, taskId: 'B', iteration: 2, agent: 'mine', phase: 'gates', since: at(5), place: null },
    ]);
  });

  it('is by urgency where they wait for a turn', () => {
    const workplaces = [
      place(1, 'A', { since: at(2) }),
      place(2, 'B', { since: at(3) }),
      place(3, 'C', { since: at(4) }),
    ];
    const tasks = [task('A'), task('B', { priority: 1 }), task('C')];
    const state = { ...EMPTY_STATE, workplaces, first: ['C'] };
    expect(workersAt({ state, tasks, worktree: 'main' }).map((one) => one.place)).toEqual([3, 2, 1]);
  });
});
