import type { ModelUsage } from 'ralph-agents/event';
import { describe, expect, it } from 'vitest';
import { costOfCutOff } from '../../../src/decide/index.ts';
import { type Lesson, NO_COST, type PolicyStop } from '../../../src/domain/policy.ts';
import type { JournalBody, JournalRecord } from '../../../src/domain/records/journal.ts';
import { EMPTY_STATE, type State } from '../../../src/domain/records/state.ts';
import { NEW_WORKFLOW, NO_SCORE } from '../../../src/domain/workflow/roles.ts';
import { foldRecords } from '../../../src/state/index.ts';
import { cycleOf } from '../../helpers/policy.ts';
import { attempt, finished, RUN, started, time, WORKPLACE } from './records.ts';

/** Returns the state after these records, each at its minute. */
function fold(...records: (readonly [minute: number, body: JournalBody])[]): State {
  return foldRecords(
    EMPTY_STATE,
    records.map(([minute, body], index): JournalRecord => ({ seq: index + 1, at: time(minute), ...body })),
  );
}

const END: JournalBody = {
  ...{ type: 'run_finished', run: 'r-1', ending: 'max_iterations', exitCode: 3 },
  ...{ recordSha256: 'x', head: null },
};
const ALL_DONE: JournalBody = { ...END, ending: 'all_done', exitCode: 0 };
const spend = (tokens: number, costUsd: number) => [
  {
    ...{ model: 'm', inputTokens: tokens, outputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0 },
    ...{ costUsd, estimated: false },
  },
];
const used = (iteration: number, minute: number, more: Parameters<typeof finished>[1] = {}) =>
  finished(iteration, {
    attempt: attempt({ iteration, startedAt: time(minute) }),
    spend: spend(100, 0.5),
    ...more,
  });

describe('the budget', () => {
  it('continues over runs, and leaves out the time between them', () => {
    const { budget } = fold(
      [0, RUN],
      [1, started(1)],
      [5, used(1, 1)],
      [6, END],
      [60, RUN],
      [61, started(2)],
      [70, used(2, 61)],
    ).policy;
    expect(budget.since).toBe(time(0));
    expect(budget.spent).toEqual({ usd: 1, tokens: 200, iterations: 2, ms: 6 * 60_000 });
    expect([budget.runStartedAt, budget.activeAt]).toEqual([time(60), time(70)]);
  });

  it('counts what the roles beside the maker used', () => {
    const next = { next: NEW_WORKFLOW, score: NO_SCORE, deferred: 0 };
    const workflow = { ...next, spend: [{ role: 'guardian' as const, agent: 'b', spend: spend(30, 0.25) }] };
    const { budget, tasks } = fold([0, RUN], [1, started(1)], [5, used(1, 1, { workflow })]).policy;
    expect([budget.spent.usd, budget.spent.tokens]).toEqual([0.75, 130]);
    expect(Object.values(tasks)[0]).toMatchObject({ usd: 0.75, tokens: 130 });
  });

  it.each([
    ['when the list was done', ALL_DONE, null],
    ['when you resume', END, { type: 'stop_resolved', reason: '', incident: null } satisfies JournalBody],
  ] as const)('begins anew %s', (_, end, resumed) => {
    const between = resumed === null ? [] : ([[7, resumed]] as const);
    const { budget } = fold([0, RUN], [1, started(1)], [5, used(1, 1)], [6, end], ...between, [
      60,
      RUN,
    ]).policy;
    expect(budget).toMatchObject({ since: time(60), spent: NO_COST });
  });

  it('does not count an attempt that an outage ended', () => {
    const outage = used(1, 1, { attempt: attempt({ verdict: 'outage', startedAt: time(1) }) });
    expect(fold([0, RUN], [1, started(1)], [2, outage]).policy.budget.spent).toMatchObject({
      iterations: 0,
      tokens: 100,
    });
  });

  it('counts an attempt that was cut off, with what it is charged', () => {
    const cut: JournalBody = {
      ...{ type: 'iteration_interrupted', ...WORKPLACE, run: 'r-1', iteration: 1, taskId: 'A', reason: 'x' },
      ...{ head: null, agentTips: [], changedPaths: [], commits: [], leftTree: 'left' },
      cost: { usd: 2, tokens: 900, iterations: 1, ms: 120_000 },
    };
    const { budget } = fold([0, RUN], [1, started(1)], [500, cut], [501, RUN]).policy;
    expect(budget.spent).toEqual({ usd: 2, tokens: 900, iterations: 1, ms: 3 * 60_000 });
  });

  it('counts what a worker began and lost, beside the attempt in its place', () => {
    const cost = { ...NO_COST, usd: 1, tokens: 40 };
    const lost: JournalBody = {
      ...{ type: 'attempt_lost', run: 'r-1', iteration: 1, taskId: 'A', claim: 'c', cost, shown: true },
    };
    const { budget, tasks } = fold([0, RUN], [1, started(1)], [2, lost], [3, used(1, 1)]).policy;
    expect(budget.spent).toMatchObject({ usd: 1.5, tokens: 140, iterations: 1 });
    expect(tasks.A).toMatchObject({ usd: 1.5, tokens: 140, iterations: 1 });
  });

  it('counts the time of several that were cut off together once, up to the last of them', () => {
    const cut = (iteration: number, minutes: number): JournalBody => ({
      ...{
        type: 'iteration_interrupted',
        ...WORKPLACE,
        worker: iteration,
        run: 'r-1',
        iteration,
        taskId: 'A',
      },
      ...{
        reason: 'x',
        head: null,
        agentTips: [],
        changedPaths: [],
        yours: [],
        commits: [],
        leftTree: 'left',
      },
      cost: { usd: 1, tokens: 10, iterations: 1, ms: minutes * 60_000 },
    });
    const two = { ...started(2), worker: 2 };
    const { budget } = fold(
      [0, RUN],
      [1, started(1)],
      [2, two],
      [500, cut(1, 9)],
      [500, cut(2, 3)],
      [501, RUN],
    ).policy;
    expect(budget.spent).toEqual({ usd: 2, tokens: 20, iterations: 2, ms: 10 * 60_000 });
  });

  it('knows what tasks of a level cost, failed attempts included', () => {
    const done = used(2, 5, { taskStatus: 'done', quality: 0.9 });
    const { levels, tasks, quality, checkpoint } = fold(
      [0, RUN],
      [1, started(1)],
      [3, used(1, 1)],
      [5, started(2)],
      [9, done],
    ).policy;
    expect(levels.medium).toEqual({
      tasks: 1,
      cost: { usd: 1, tokens: 200, iterations: 2, ms: 6 * 60_000 },
    });
    expect(tasks).toEqual({});
    expect(quality).toEqual({ first: { taskId: 'A', score: 0.9 }, last: { taskId: 'A', score: 0.9 } });
    expect(checkpoint.done).toBe(1);
  });
});

it('a stop is counted until you resume', () => {
  const stop: PolicyStop = { kind: 'budget', run: 'r-1', reason: 'x', trigger: null, times: 2 };
  const stopped: JournalBody = { type: 'policy_stopped', stop, event: null };
  const { policy } = fold([0, RUN], [1, stopped]);
  expect([policy.stops.budget, policy.stop]).toEqual([2, stop]);
  const after = fold(
    [0, RUN],
    [1, stopped],
    [2, { type: 'stop_resolved', reason: '', incident: null }],
  ).policy;
  expect([after.stops.budget, after.stop]).toEqual([0, null]);
});

it('findings that come back are lessons, and those that were shown are counted', () => {
  const found = (iteration: number, keys: string[], shown: string[] = []) =>
    used(iteration, iteration, { cycle: cycleOf(iteration, keys), lessons: shown });
  const { lessons } = fold(
    [0, RUN],
    [1, found(1, ['a', 'b'])],
    [2, found(2, ['a'])],
    [3, found(3, ['a'], ['a'])],
    [4, found(4, [], ['a'])],
  ).policy;
  const facts = ({ key, count, shown, cameBack }: Lesson) => [key, count, shown, cameBack];
  expect(lessons.map(facts)).toEqual([
    ['a', 3, 2, 1],
    ['b', 1, 0, 0],
  ]);
});

it('what a task changed when it got done without a finding is its correction', () => {
  const cycle = (keys: string[]) => cycleOf(1, keys);
  const open = used(2, 2, { cycle: cycle([]), changedPaths: ['x'] });
  const undone = fold([0, RUN], [1, used(1, 1, { cycle: cycle(['a']) })], [2, open]).policy.lessons;
  expect(undone.map(({ corrected }) => corrected)).toEqual([null]);
  const { lessons } = fold(
    [0, RUN],
    [1, used(1, 1, { cycle: cycle(['a', 'b']) })],
    [2, used(2, 2, { cycle: cycle(['b']), taskStatus: 'done', changedPaths: ['src/a.js'] })],
    [3, used(3, 3, { taskId: 'T-9', cycle: cycle([]), taskStatus: 'done', changedPaths: ['c'] })],
  ).policy;
  const taskId = used(1, 1).type === 'iteration_finished' ? used(1, 1).taskId : '';
  expect(lessons.map(({ key, corrected }) => [key, corrected])).toEqual([
    ['a', { taskId, paths: ['src/a.js'] }],
    ['b', null],
  ]);
});

it('planning is paid by the budget, and its result waits until you settle it', () => {
  const task = {
    ...{ id: 'a', title: 'A', criteria: [], files: [], dependsOn: [], gates: [], minutes: null },
  };
  const by = { kind: 'plan' as const, agent: 'mine', idea: 'x' };
  const drafted = { type: 'plan_drafted' as const, by, spend: spend(100, 0.5) };
  const proposing = used(1, 5, { proposed: [task, { ...task, title: 'B' }] });
  const state = fold(
    [0, RUN],
    [1, { ...drafted, tasks: [task] }],
    [2, { ...drafted, tasks: [] }],
    // After a second proposal of the same tasks, the new one remains.
    [5, proposing],
    [6, { ...proposing, proposed: [{ ...task, title: 'B' }] }],
  );
  expect(state.policy.budget.spent).toMatchObject({ tokens: 400, usd: 2 });
  expect(state.spend.plan).toMatchObject([{ agent: 'mine', tokens: 200 }]);
  expect(state.proposals.map(({ id, tasks }) => [id, tasks.map(({ title }) => title)])).toEqual([
    ['P-1', ['A']],
    ['P-2', ['B']],
  ]);
  const settled: JournalBody = { type: 'proposal_settled', id: 'P-1', outcome: 'accepted', taskIds: ['T-2'] };
  const after = fold(
    [0, RUN],
    [1, { ...drafted, tasks: [task] }],
    [2, settled],
    [3, { ...drafted, tasks: [task] }],
  );
  expect(after.proposals.map(({ id }) => id)).toEqual(['P-2']);
});

it('what armed the break for good stays armed, whatever an attempt that began before saw', () => {
  const armed = {
    kind: 'red_after_landing' as const,
    hard: true,
    taskId: 'T-1',
    reason: 'because',
    unresolved: [],
  };
  const breaks = { agentFailures: [], blockedTasks: [], cycles: [], armed };
  const other = { ...breaks, armed: null };
  const now = fold(
    [0, RUN],
    [1, started(1)],
    [5, used(1, 1, { breaks })],
    [6, used(2, 2, { breaks: other })],
  );
  expect(now.policy.armed).toEqual(armed);
});

describe('an attempt whose end was not seen', () => {
  const known = { tasks: { A: { usd: 3, tokens: 600, iterations: 3, ms: 0 } }, levels: {} };
  const agent = { usage: [] as ModelUsage[], began: true };
  const reviewer = { usage: spend(30, 0.125), began: true };
  const base = { agents: [agent], prices: {}, known, elapsedMs: 90_000, timeoutMs: 60_000 };
  it.each([
    ['is charged with the mean', {}, { usd: 1, tokens: 200 }],
    ['that never began with nothing', { agents: [{ ...agent, began: false }] }, { usd: 0, tokens: 0 }],
    ['with what it reported', { agents: [{ ...agent, usage: spend(50, 0.25) }] }, { usd: 0.25, tokens: 50 }],
    [
      'with what all of its agents reported',
      { agents: [{ ...agent, usage: spend(50, 0.25) }, reviewer, reviewer, { ...agent, began: false }] },
      { usd: 0.5, tokens: 110 },
    ],
    [
      'and the mean, once, for those that report nothing',
      { agents: [reviewer, agent, agent] },
      { usd: 1.125, tokens: 230 },
    ],
    ['with nothing where nothing is known', { known: { tasks: {}, levels: {} } }, { usd: 0, tokens: 0 }],
  ])('%s', (_, more, cost) => {
    expect(costOfCutOff({ ...base, ...more })).toEqual({ ...cost, iterations: 1, ms: 60_000 });
  });
});
