import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import { chooseNext, type Ending, notificationOf } from '../../../src/decide/index.ts';
import { HumanSettings } from '../../../src/domain/human/settings.ts';
import { NO_COST, type PolicyStop } from '../../../src/domain/policy.ts';
import type { ChoiceFacts } from '../../../src/domain/records/choice.ts';
import {
  EMPTY_STATE,
  EMPTY_TASK_STATE,
  type Failing,
  type RunSummary,
  type TaskState,
} from '../../../src/domain/records/state.ts';
import type { RunReport } from '../../../src/domain/run-report.ts';
import type { Unavailable } from '../../../src/domain/service.ts';
import type { Task, TaskStatus } from '../../../src/domain/task.ts';
import type { Verdict } from '../../../src/domain/verdict.ts';
import { reportMarkdown } from '../../../src/io/ui/report-markdown.ts';
import { reportText } from '../../../src/io/ui/run-report.ts';
import { terminalWith } from '../../../src/io/ui/terminal.ts';
import { decideBlocked } from '../../../src/respond/blocked/index.ts';
import { foldRecords } from '../../../src/state/index.ts';
import { reportRun } from '../../../src/tell/report.ts';
import { attemptSummary, NO_CHOICE } from '../../helpers/facts.ts';
import { internalWords } from '../../helpers/internal-words.ts';
import { NO_POLICY } from '../../helpers/policy.ts';
import { numbered, RUN } from '../state/records.ts';

const task = (id: string, status: TaskStatus): Task => ({ ...EMPTY_TASK, id, title: `Write ${id}`, status });
const [DONE, OPEN, BLOCKED, PARKED] = [
  task('T-1', 'done'),
  task('T-2', 'open'),
  task('T-3', 'blocked'),
  task('T-4', 'parked'),
];
const FAILING: Failing = { gate: 'test', since: 'work', lines: ['expected 1 to be 2'] };

/** Returns a task that is blocked after three attempts with one verdict. */
function blockedBy(verdict: Verdict, cause: string, failing: Failing | null = null): TaskState {
  const attempt = attemptSummary({ verdict: verdict.kind, cause, failing, filesChanged: 0 });
  const blocked = decideBlocked({
    taskState: { ...EMPTY_TASK_STATE, attempts: [attempt, attempt] },
    ...{ attempt, verdict, maxAttempts: 3, at: '2026-01-20T11:00:00.000Z', limitReached: null },
    ...{ outputTail: '', failedGateTail: '' },
  });
  return { ...EMPTY_TASK_STATE, blocked };
}

const state = foldRecords(EMPTY_STATE, numbered([RUN]));
const GATES = blockedBy({ kind: 'gates_failed', gates: ['test'] }, 'Gate "test" failed.', FAILING);
const WAITS: TaskState = { ...EMPTY_TASK_STATE, parked: true, parkedBecause: 'G-1: 1 test removed' };

/** Returns the report of a run that ended so. */
function report(
  tasks: readonly Task[],
  ending: Ending | null,
  {
    states = { 'T-3': GATES, 'T-4': WAITS },
    stop = null as PolicyStop | null,
    skipped = false,
    away = [] as RunSummary['away'],
  } = {},
): RunReport {
  const run: RunSummary = {
    ...(state.runs[0] as RunSummary),
    away,
    skippedCommits: skipped
      ? [{ taskId: 'T-1', reason: 'its commit could not be signed.', command: 'ralph land' }]
      : [],
  };
  const now = { ...state, runs: [run], tasks: states, policy: { ...state.policy, stop } };
  const end =
    ending === null
      ? null
      : {
          endedAt: '2026-01-20T11:00:00.000Z',
          ending: { ...ending, next: [...(ending.next ?? [])] },
          gateLost: [],
        };
  return reportRun({
    ...{ run, state: now, continues: stop === null ? 'ralph run' : 'ralph resume' },
    ...{ tasks, earlier: [], running: false, newest: true, baseline: null, limits: NO_COST },
    end:
      end === null
        ? null
        : { ...end, ending: { ...end.ending, next: ending?.next === null ? null : end.ending.next } },
    ...{ now: '2026-01-20T11:00:00.000Z', suggest: null },
  });
}

/** Returns how a run with these facts ends. */
function endingOf(tasks: readonly Task[], more: Partial<ChoiceFacts>): Ending {
  const next = chooseNext({ ...NO_CHOICE, ...more }, { tasks, states: {} });
  if (next.kind !== 'end') throw new Error(`${next.kind} isn't an end`);
  return next.ending;
}

const DECIDING = { human: HumanSettings.parse({}), hasBudget: false };

/** Returns all texts of a report that you read. */
const textsOf = (one: RunReport) => [
  reportText(one, terminalWith({ live: false, color: false, width: 100 })),
  reportMarkdown(one),
  notificationOf({ type: 'run_reported', report: one }, EMPTY_STATE, DECIDING)?.text ?? '',
];

const armed = (reason: string) => ({
  policy: {
    ...NO_POLICY,
    armed: { kind: 'task_failures' as const, hard: true, taskId: 'T-3', reason, unresolved: [] },
  },
});
const stopped = (kind: PolicyStop['kind']): PolicyStop => ({
  ...{ kind, run: 'r-1', reason: 'because', trigger: null, times: 1 },
});
const READY = { name: 'a', suspended: null, unavailable: null };
const available = (more: object, rest: object = {}) => ({
  availability: {
    ...{
      agents: [{ ...READY, ...more }],
      now: '2026-01-20T10:00:00.000Z',
      maxWaitSeconds: 0,
      runUntil: null,
    },
    ...rest,
  },
});
const limited: Unavailable = {
  ...{ kind: 'rate_limited', message: 'full', since: '2026-01-20T09:00:00.000Z', tries: 1, resetKnown: true },
  until: '2026-01-20T12:00:00.000Z',
};

const NO_CREDIT: Unavailable = {
  ...limited,
  ...{ kind: 'credit', message: 'no credit.', until: null, resetKnown: false },
};

describe('the first line of a report', () => {
  const ALL = [DONE, OPEN, BLOCKED, PARKED];
  const LEFT = [DONE, OPEN];
  it.each<[string, readonly Task[], Partial<ChoiceFacts>, string, Parameters<typeof report>[2]?]>([
    ['all is done', [DONE], {}, '1 of 1 task done.'],
    [
      'another agent did the work',
      [DONE],
      {},
      "1 of 1 task done. a couldn't work, so b did: credit used up (no credit). What helps: add credit to its account, then: ralph run",
      { away: [{ agent: 'a', by: 'b', unavailable: NO_CREDIT }] },
    ],
    ['the rest is blocked', [DONE, BLOCKED], {}, '1 of 2 tasks done, 1 needs you.'],
    ['the rest needs you', [DONE, BLOCKED, PARKED], {}, '1 of 3 tasks done, 2 need you.'],
    [
      'a result waits',
      [DONE],
      { results: ['T-1'] },
      '1 of 1 task done, 1 verified result waits for you.',
      { skipped: true },
    ],
    ['what you asked for is done', LEFT, { only: ['T-1'] }, 'T-1 is done; 1 other task is open.'],
    [
      'you stopped it',
      ALL,
      { control: { stop: 'after_attempt', pausedAt: null, stoppedWorkers: [] } },
      'Stopped by you (ralph stop).',
    ],
    [
      'you stopped its workers',
      LEFT,
      { freeWorkers: 0 },
      'Stopped: you stopped all workers (ralph workers stop).',
    ],
    ['Ctrl-C', LEFT, { signal: 'SIGINT' }, 'Stopped by Ctrl-C. Everything up to here is saved.'],
    ['its limit', LEFT, { iterations: 6, maxIterations: 6 }, 'Stopped: 6 iterations made, the limit.'],
    [
      'nothing changes',
      LEFT,
      { idleIterations: 3, noProgressLimit: 3 },
      'Stopped: 3 attempts in a row changed nothing.',
    ],
    [
      'a break',
      ALL,
      armed('3 tasks in a row blocked (T-3, T-5, T-6).'),
      'Stopped: 3 tasks in a row blocked (T-3, T-5, T-6). See one, then: ralph resume',
      { stop: stopped('break') },
    ],
    [
      'a break without a blocked task',
      LEFT,
      armed('The agent failed or timed out 3 times in a row (T-2).'),
      'Stopped: the agent failed or timed out 3 times in a row (T-2). To continue: ralph resume',
      { stop: stopped('break') },
    ],
    [
      'a break that you resumed since',
      ALL,
      armed('3 tasks in a row blocked (T-3, T-5, T-6).'),
      'Stopped: 3 tasks in a row blocked (T-3, T-5, T-6).',
    ],
    ['an agent is suspended', LEFT, available({ suspended: 'it lies' }), 'Stopped: a is suspended: it lies.'],
    ['an emergency', LEFT, { incident: 'INC-1' }, 'Emergency stop: INC-1 waits for you.'],
    [
      'no agent can work',
      LEFT,
      available({ unavailable: limited }),
      /^Stopped: no agent can work\. a: usage limit \(full\), until 2026-01-20 /,
    ] as never,
    [
      'an agent met a limit on the way',
      [DONE, OPEN],
      { only: ['T-1'] },
      /^T-1 is done; 1 other task is open\. a couldn't work: usage limit \(full\), until 2026-01-20 .*\. What helps: .*: ralph profile --agent a --reinstate$/,
      { away: [{ agent: 'a', by: null, unavailable: limited }] },
    ] as never,
  ])('%s', (_, tasks, more, expected, given) => {
    const one = report(tasks, endingOf(tasks, more), given);
    const [first = ''] = reportText(one, terminalWith({ live: false, color: false, width: 200 })).split('\n');
    if ((expected as unknown) instanceof RegExp) expect(first).toMatch(expected);
    else expect(first).toBe(expected);
    for (const text of textsOf(one)) expect(internalWords(text)).toEqual([]);
  });

  it('says how much is done below what stopped the run', () => {
    const one = report(ALL, endingOf(ALL, { iterations: 6, maxIterations: 6 }));
    expect(one.counts).toBe('1 of 4 tasks done, 2 need you, 1 open.');
    for (const text of textsOf(one)) expect(text.split(one.counts)).toHaveLength(2);
  });

  it('is about now: what you did since then counts', () => {
    const ended = endingOf(ALL, { iterations: 6, maxIterations: 6 });
    expect(report([DONE, task('T-2', 'done')], ended).headline).toBe('2 of 2 tasks done.');
  });

  it('says that a run was cut off', () => {
    expect(report([DONE, OPEN], null).headline).toMatch(/^Cut off: the run was killed/);
  });
});

it.each<[Verdict, string]>([
  [{ kind: 'no_files', completionClaimed: true }, 'Failed 3 times. Last: It happened.'],
  [{ kind: 'false_completion', reasons: [] }, 'Failed 3 times. Last: It happened.'],
  [{ kind: 'incomplete', reasons: [] }, 'Failed 3 times. Last: It happened.'],
  [
    { kind: 'gates_failed', gates: ['test'] },
    'Failed 3 times. Gate "test" fails; it passed before the work:',
  ],
  [{ kind: 'timed_out', which: 'wall', afterMs: 120_000 }, 'Failed 3 times. Last: It happened.'],
  [{ kind: 'agent_error', message: 'exit 1' }, 'Failed 3 times. Last: It happened.'],
  [{ kind: 'review_blocked', why: 'denied_action', message: 'no' }, 'Failed 3 times. Last: It happened.'],
  [{ kind: 'agent_blocked', reason: 'Which port?' }, 'Which port?'],
])('the cause of a blocked task is one line in plain words: %o', (verdict, cause) => {
  const failing = verdict.kind === 'gates_failed' ? FAILING : null;
  const states = { 'T-3': blockedBy(verdict, 'It happened.', failing), 'T-4': WAITS };
  const one = report([DONE, BLOCKED], endingOf([DONE, BLOCKED], {}), { states });
  for (const text of textsOf(one)) {
    expect(text.replaceAll(/\\|&#?\w+;/g, '')).toContain(cause);
    expect(internalWords(text)).toEqual([]);
  }
});
