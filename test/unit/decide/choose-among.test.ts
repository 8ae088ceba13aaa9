import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import { chooseNext } from '../../../src/decide/choice/choose-next.ts';
import type { ChoiceFacts } from '../../../src/domain/records/choice.ts';
import type { Task, TaskStatus } from '../../../src/domain/task.ts';
import { NO_POLICY } from '../../helpers/policy.ts';

const task = (id: string, status: TaskStatus, ...dependsOn: string[]): Task => ({
  ...EMPTY_TASK,
  id,
  title: id,
  status,
  dependsOn,
});

const READY = { name: 'a', suspended: null, unavailable: null };

function choose(
  tasks: readonly Task[],
  left: Readonly<Record<string, number>>,
  more: Partial<ChoiceFacts> = {},
) {
  const facts: ChoiceFacts = {
    seq: 1,
    tasks: 'tasks.json',
    statuses: [],
    only: null,
    asked: [],
    among: Object.entries(left).map(([id, attemptsLeft]) => ({ id, attemptsLeft })),
    autoUnblocked: [],
    availability: { agents: [READY], now: '2026-01-01T00:00:00.000Z', maxWaitSeconds: 0, runUntil: null },
    waits: [],
    checkpoints: [],
    reconciled: [],
    incident: null,
    waiting: [],
    signal: null,
    control: { stop: null, pausedAt: null, stoppedWorkers: [] },
    ...{ first: [], freeWorkers: 1 },
    iterations: 0,
    maxIterations: 50,
    idleIterations: 0,
    noProgressLimit: 3,
    outage: null,
    finished: [],
    results: [],
    policy: NO_POLICY,
    workers: { working: [], held: [] },
    ...more,
  };
  const next = chooseNext(facts, { tasks, states: {} });
  if (next.kind === 'wait') return `wait until ${next.wait.until}`;
  if (next.kind === 'gate_down') return `down until ${next.until}`;
  if (next.kind === 'paused' || next.kind === 'checkpoint' || next.kind === 'busy') return next.kind;
  return next.kind === 'task' ? next.task.id : `${next.ending.kind} ${next.ending.exitCode}`;
}

describe('the choice of a run that retries', () => {
  it.each([
    ['takes what is asked for, not what comes first', [task('A', 'open'), task('B', 'open')], { B: 1 }, 'B'],
    [
      'continues with the next when one has no attempt left',
      [task('A', 'open'), task('B', 'open')],
      { A: 0, B: 1 },
      'B',
    ],
    ['ends well when all of them are done', [task('A', 'done'), task('B', 'open')], { A: 0 }, 'all_done 0'],
    [
      'ends as blocked when they are blocked again',
      [task('A', 'blocked'), task('B', 'open')],
      { A: 0 },
      'all_blocked 4',
    ],
    ['also where one is done', [task('A', 'blocked'), task('B', 'done')], { A: 1, B: 0 }, 'all_blocked 4'],
    [
      'leaves work where one is neither',
      [task('A', 'in_progress'), task('B', 'done')],
      { A: 0, B: 0 },
      'max_iterations 3',
    ],
    [
      'does not take one whose dependency is not done',
      [task('A', 'open'), task('B', 'open', 'A')],
      { B: 1 },
      'max_iterations 3',
    ],
    ['takes one whose dependency is done', [task('A', 'done'), task('B', 'open', 'A')], { A: 0, B: 1 }, 'B'],
    ['takes none that is gone', [task('A', 'open')], { X: 1 }, 'max_iterations 3'],
  ] as const)('%s', (_name, tasks, left, expected) => {
    expect(choose(tasks, left)).toBe(expected);
  });

  it('ends at a signal, at the limit of the run, and for a suspended agent like any other', () => {
    const open = [task('A', 'open')];
    expect(choose(open, { A: 1 }, { signal: 'SIGINT' })).toBe('interrupted 130');
    expect(choose(open, { A: 1 }, { maxIterations: 0 })).toBe('max_iterations 3');
    expect(
      choose(
        open,
        { A: 1 },
        {
          availability: {
            agents: [{ ...READY, suspended: 'lies' }],
            now: '',
            maxWaitSeconds: 0,
            runUntil: null,
          },
        },
      ),
    ).toBe('break 6');
  });
});
