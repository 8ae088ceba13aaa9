import { describe, expect, it } from 'vitest';
import { NO_COST } from '../../../src/domain/policy.ts';
import type { JournalBody, JournalRecord } from '../../../src/domain/records/journal.ts';
import type { DoneBy } from '../../../src/domain/records/marks.ts';
import {
  EMPTY_STATE,
  EMPTY_TASK_STATE,
  type State,
  taskStateOf,
  workplaceStateOf,
} from '../../../src/domain/records/state.ts';
import { foldRecords } from '../../../src/state/index.ts';
import { baseline as baselineOf } from '../gates/inputs.ts';
import {
  attempt,
  blockedRecord,
  event,
  feedback,
  finished,
  numbered,
  RUN,
  started,
  time,
  UNBLOCKED,
  WORKPLACE,
} from './records.ts';

const applyRecord = (state: State, record: JournalRecord) => foldRecords(state, [record]);

const fold = (...bodies: JournalBody[]): State => foldRecords(EMPTY_STATE, numbered(bodies));
const openIteration = (state: State) => workplaceStateOf(state, WORKPLACE).openIteration;
const task = (state: State, id = 'A') => taskStateOf(state, id);

describe('one record after another', () => {
  it('a run begins and ends', () => {
    const running = fold(RUN);
    expect(running.runs).toMatchObject([{ run: 'r-1', startedAt: time(0), endedAt: null, iterations: 0 }]);
    const over = fold(RUN, {
      type: 'run_finished',
      run: 'r-1',
      ending: 'all_done',
      exitCode: 0,
      recordSha256: 'x',
      head: null,
    });
    expect(over.runs).toMatchObject([{ endedAt: time(2), ending: 'all_done', exitCode: 0 }]);
    expect(over.seq).toBe(2);
  });

  it('an iteration opens, with its task in progress, until it finishes', () => {
    const open = fold(RUN, started(1));
    expect(openIteration(open)).toMatchObject({ iteration: 1, taskId: 'A', timeoutSeconds: 120 });
    expect(openIteration(open)).not.toHaveProperty('worktree');
    expect([open.counters.iteration, task(open).inProgress]).toEqual([1, true]);
    expect(openIteration(fold(RUN, started(1), finished(1)))).toBeNull();
  });

  it('what an attempt wrote that something outside ended is judged with the next one', () => {
    const interrupted: JournalBody = {
      ...{ type: 'iteration_interrupted', ...WORKPLACE, run: 'r-1', iteration: 2, taskId: 'A', reason: 'x' },
      ...{
        cost: NO_COST,
        head: null,
        changedPaths: ['b'],
        commits: [],
        leftTree: 'left',
      },
    };
    const outage = [started(1), finished(1, { verdict: 'outage', changedPaths: ['a'] })];
    const unjudged = (...bodies: JournalBody[]) => task(fold(RUN, ...bodies)).series?.unjudged;
    expect(unjudged(...outage)).toEqual(['a']);
    expect(unjudged(...outage, started(2), interrupted)).toEqual(['a', 'b']);
    expect(unjudged(...outage, started(2), finished(2, { changedPaths: ['b'] }))).toEqual([]);
  });

  it('an interrupted iteration counts no attempt, and its task is started first', () => {
    const interrupted: JournalBody = {
      type: 'iteration_interrupted',
      ...WORKPLACE,
      run: 'r-1',
      iteration: 1,
      taskId: 'A',
      reason: 'x',
      cost: NO_COST,
      head: 'h1',
      changedPaths: [],
      leftTree: 'left',
    };
    const state = fold(RUN, started(1), interrupted);
    expect(openIteration(state)).toBeNull();
    expect(task(state)).toMatchObject({ attempts: [], cutOff: [1], inProgress: true });
    expect(state.runs[0]?.iterations).toBe(0);
    // A worker of a fleet may still deliver it, until another attempt has ended.
    const again = { ...interrupted, iteration: 2 };
    expect(task(fold(RUN, started(1), interrupted, started(2), again)).cutOff).toEqual([1, 2]);
    expect(task(fold(RUN, started(1), interrupted, started(2), finished(2))).cutOff).toEqual([]);
  });

  it('a result that is nowhere here leaves its task open, with what a worker delivered of it', () => {
    const done = [RUN, started(1), finished(1, { taskStatus: 'done' })];
    const lost: JournalBody = {
      ...{ type: 'tasks_reopened', reason: '' },
      tasks: [{ taskId: 'A', iteration: 1 }],
    };
    expect(task(fold(...done)).doneBy).not.toBeNull();
    expect(task(fold(...done, lost))).toMatchObject({ doneBy: null, cutOff: [1], staleMark: 'done' });
  });

  it.each([
    ['open', { inProgress: true, parked: false, doneBy: null, attempts: [{}] }],
    ['in_progress', { inProgress: true, parked: false, doneBy: null }],
    ['parked', { inProgress: false, parked: true, doneBy: null }],
    ['blocked', { inProgress: false, parked: false, doneBy: null, attempts: [{}] }],
    [
      'done',
      {
        inProgress: false,
        parked: false,
        doneBy: { kind: 'verdict', run: 'r-1', iteration: 1, title: 'Task A', at: time(3) },
        attempts: [],
      },
    ],
  ] as const)('an iteration finishes with the task %s', (taskStatus, expected) => {
    const blocked = taskStatus === 'blocked' ? blockedRecord() : null;
    const state = fold(RUN, started(1), finished(1, { taskStatus, blocked }));
    expect(task(state)).toMatchObject({ ...expected, blocked });
    expect(state.runs[0]).toMatchObject({
      iterations: 1,
      done: taskStatus === 'done' ? ['A'] : [],
      blocked: taskStatus === 'blocked' ? ['A'] : [],
    });
  });

  it('counts tokens and money of a run', () => {
    const tokens = { inputTokens: 10, outputTokens: 5, cachedTokens: 1, cacheWriteTokens: 2 };
    const one = { model: 'm', ...tokens, costUsd: 0.5, estimated: false };
    const state = fold(
      RUN,
      finished(1, { spend: [one, { ...one, model: 'other', costUsd: null }] }),
      finished(2, { spend: [{ ...one, costUsd: 0.25, estimated: true }] }),
      finished(3, { spend: [] }),
    );
    expect(state.runs[0]).toMatchObject({ tokens: 45, costUsd: 0.5, estimatedUsd: 0.25, iterations: 3 });
    expect(Object.values(state.spend)).toEqual([
      [
        expect.objectContaining({ model: 'm', tokens: 30, costUsd: 0.5, estimatedUsd: 0.25 }),
        expect.objectContaining({ model: 'other', tokens: 15, costUsd: 0, estimatedUsd: 0 }),
      ],
    ]);
    expect(state.lastAttempt).toMatchObject({ iteration: 3, tokens: 0 });
  });

  it('remembers what you hold back, put first and stopped', () => {
    const holds = (taskId: string, held: boolean): JournalBody => ({
      ...{ type: 'queue_changed', taskIds: [taskId], change: held ? 'held' : 'released' },
    });
    const puts = (taskId: string, first = true): JournalBody => ({
      ...{ type: 'queue_changed', taskIds: [taskId], change: first ? 'put_first' : 'put_back' },
    });
    const stops = (worker: number) =>
      ({ type: 'run_requested', run: 'r-1', request: 'stop_now', worker }) as const;
    const asked = [holds('A', true), puts('A'), puts('B'), puts('C'), puts('C', false), stops(2), stops(2)];
    const state = fold(RUN, ...asked, finished(1));
    expect(state).toMatchObject({ first: ['B', 'A'], control: { stoppedWorkers: [2] } });
    expect(state.tasks.A).toMatchObject({ held: true });
    const later = fold(RUN, ...asked, finished(1, { taskStatus: 'done' }), holds('A', false));
    expect(later).toMatchObject({ first: ['B'] });
    expect(later.tasks.A).toMatchObject({ held: false, doneBy: { kind: 'verdict' } });
  });

  it('knows since when a task has waited for files, until it starts', () => {
    const waits = (...taskIds: string[]) =>
      ({ type: 'queue_changed', taskIds, change: 'kept_apart' }) as const;
    const state = fold(RUN, waits('A', 'B'), waits('A'), started(1, 'B'));
    expect(state.keptApart).toEqual({ A: time(2) });
    expect(fold(RUN, waits('A'), { ...RUN, run: 'r-2' }).keptApart).toEqual({});
  });

  it('was last heard of when its newest attempt began, and counts none that you ended', () => {
    const stopped = finished(1, { verdict: 'interrupted' });
    const [run] = fold(RUN, stopped, finished(2, { verdict: 'gates_failed' }), started(3)).runs;
    expect(run).toMatchObject({ activeAt: time(4), iterations: 2, work: [{ attempts: 1 }] });
  });

  it('remembers what each run did, however many came after it, and commits that landed', () => {
    const later = Array.from({ length: 8 }, (_, index) => ({ ...RUN, run: `r-${index + 2}` }));
    const done = finished(1, { verdict: 'done', taskStatus: 'done', commits: ["the agent's own"] });
    const landed = { type: 'work_landed', taskId: 'A', commit: 'on the branch', paths: 1 } as const;
    expect(fold(RUN, done, ...later).runs[0]?.work).toMatchObject([{ attempts: 1, commits: [] }]);
    expect(fold(RUN, done, ...later, landed).runs[0]?.work).toMatchObject([{ commits: ['on the branch'] }]);
  });

  it('counts what conflicted, and what waited for a turn, apart from the attempts', () => {
    const conflict = finished(1, { verdict: 'conflict', waitedMs: 20_000 });
    const done = finished(2, { verdict: 'done', taskStatus: 'done', waitedMs: 30_000 });
    const [work] = fold({ ...RUN, workers: 2 }, conflict, done).runs[0]?.work ?? [];
    expect(work).toMatchObject({ attempts: 1, conflicts: 1, waitedMs: 50_000 });
    // The attempts began at 0:00 and were over at 0:02 and 0:03.
    expect(work).toMatchObject({ durationMs: 300_000, lostMs: 100_000 });
  });

  it.each([
    ['a new tree', { treeChanged: true }, 0],
    ['nothing new', { treeChanged: false }, 2],
    ['done', { treeChanged: false, taskStatus: 'done' as const }, 0],
    ['a block', { treeChanged: false, taskStatus: 'blocked' as const, blocked: blockedRecord() }, 0],
    ['an outage', { treeChanged: false, verdict: 'outage' as const }, 1],
    ['an interruption', { treeChanged: false, verdict: 'interrupted' as const }, 1],
  ])('idle iterations after one idle and then %s', (_, more, expected) => {
    const idle = finished(1, { treeChanged: false });
    expect(fold(RUN, idle, finished(2, more)).idleIterations).toBe(expected);
    expect(fold(RUN, idle, { ...RUN, run: 'r-2' }).idleIterations).toBe(0);
  });

  it('unblocking starts a new series and keeps the old one', () => {
    const blocked = finished(1, { verdict: 'timed_out', taskStatus: 'blocked', blocked: blockedRecord() });
    const unblock = { ...UNBLOCKED, reason: 'more time', timeoutSeconds: 900 };
    const state = fold(RUN, started(1), blocked, unblock);
    expect(task(state)).toMatchObject({
      attempts: [],
      blocked: null,
      inProgress: false,
      timeoutSeconds: 900,
    });
    expect(task(state).history).toMatchObject([
      { reason: 'more time', blockReason: 'timeout', attempts: [{ verdict: 'timed_out' }] },
    ]);
    const done = applyRecord(state, { seq: 5, at: time(5), ...finished(2, { taskStatus: 'done' }) });
    expect(task(done).timeoutSeconds).toBeNull();
  });

  it('counts unblocks until the task is done, and shows those that ralph made', () => {
    const blocked = (iteration: number) =>
      finished(iteration, { verdict: 'timed_out', taskStatus: 'blocked', blocked: blockedRecord() });
    const unblock = { ...UNBLOCKED, reason: 'more time' };
    const automatic = { ...unblock, automatic: true, strategy: 'increase_timeout' };
    const twice = fold(RUN, started(1), blocked(1), automatic, started(2), blocked(2), unblock);
    expect(task(twice).unblocks).toEqual({ total: 2, automatic: 1 });
    expect(task(twice).history).toMatchObject([
      { strategy: 'increase_timeout', automatic: true },
      { blockReason: 'timeout' },
    ]);
    const done = applyRecord(twice, { seq: 8, at: time(8), ...finished(3, { taskStatus: 'done' }) });
    expect(task(done).unblocks).toEqual({ total: 0, automatic: 0 });
    expect(task(done).history).toHaveLength(2);
  });

  it('remembers that the task list still has the mark, until it is taken away', () => {
    const unblock = { ...UNBLOCKED, marked: true };
    const marked = fold(RUN, started(1), finished(1, { blocked: blockedRecord() }), unblock);
    expect(task(marked).staleMark).toBe('blocked');
    const accepted = {
      type: 'tracker_accepted' as const,
      sha256: 's',
      reopened: [],
      opened: null,
      takenBack: null,
    };
    const other = applyRecord(marked, { seq: 5, at: time(5), ...accepted });
    expect(task(other).staleMark).toBe('blocked');
    expect(task(applyRecord(other, { seq: 6, at: time(6), ...accepted, opened: 'A' })).staleMark).toBeNull();
    const again = applyRecord(other, { seq: 6, at: time(6), ...finished(2, { blocked: blockedRecord() }) });
    expect(task(again).staleMark).toBeNull();
  });

  it('feedback of the loop on a task is replaced, on a done one dropped, the user’s added once', () => {
    const person = (text: string, taskId: string | null): JournalBody => ({
      type: 'feedback_added',
      entry: feedback(text, { source: 'person', kind: 'guidance', taskId, iteration: null }),
    });
    const first = finished(1, { feedback: [feedback('old'), feedback('old')] });
    const second = finished(2, { feedback: [feedback('new')] });
    const textsOf = (state: State) => state.feedback.map((entry) => entry.text);
    const all = [person('all', null), person('all', null), person('A only', 'A'), first, second];
    expect(textsOf(fold(...all))).toEqual(['all', 'A only', 'new']);
    expect(textsOf(fold(...all, finished(3, { taskStatus: 'done', feedback: [feedback('late')] })))).toEqual([
      'all',
    ]);
    expect(textsOf(fold(...all, { type: 'feedback_cleared', source: 'loop' }))).toEqual(['all', 'A only']);
    expect(textsOf(fold(...all, { type: 'feedback_cleared', source: 'all' }))).toEqual([]);
  });

  it('events are listed and counted; a reset empties the list and keeps the counts', () => {
    const events = [event(1), event(2, { event_type: 'attempt_failed', severity: 'critical' })];
    const totals = {
      count: 2,
      byType: { no_files_detected: 1, attempt_failed: 1 },
      bySeverity: { warning: 1, critical: 1 },
    };
    const state = fold(finished(1, { events }));
    expect(state).toMatchObject({ events, eventTotals: totals, counters: { event: 2 } });
    const reset = fold(finished(1, { events }), { type: 'events_archived', count: 2, archive: 'a' });
    expect(reset).toMatchObject({ events: [], eventTotals: totals, counters: { event: 2 } });
  });

  it('the profile advances with the attempt, but not with what isn’t the agent’s fault', () => {
    const lie = finished(1, { verdict: 'no_files', noFiles: true, falseCompletion: true, reinforced: true });
    const state = fold(
      lie,
      finished(2, { verdict: 'rate_limited' }),
      finished(3, { verdict: 'interrupted' }),
    );
    expect(state.profiles.claude).toMatchObject({
      totalIterations: 1,
      noFilesCount: 1,
      falseCompletionCount: 1,
      lastReinforcement: time(1),
      thresholdExceeded: true,
      levels: { medium: { attempts: 1, done: 0, durationsMs: [1000] } },
    });
    const suspended = fold(finished(1, { suspendAgent: 'lies' }));
    expect(suspended.profiles.claude?.suspended).toBe('lies');
    const back = fold(finished(1, { suspendAgent: 'lies' }), { type: 'agent_reinstated', agent: 'claude' });
    expect(back.profiles.claude).toMatchObject({ suspended: null, window: [], thresholdExceeded: false });
  });

  it('takes over baseline, ids and tracker', () => {
    const baseline = baselineOf({ test: { kind: 'passed' } }, { commands: { test: 'npm test' } });
    const ids = [{ id: 't-1', title: 'x', index: 0 }];
    expect(
      fold(
        { type: 'baseline_taken', baseline, armed: null, tried: { fail: [], unknown: [], blind: [] } },
        { type: 'tracker_accepted', sha256: null, ids, reopened: [], opened: null, takenBack: null },
        { type: 'tracker_accepted', sha256: 's', reopened: [], opened: null, takenBack: null },
      ),
    ).toMatchObject({ baseline, rememberedIds: ids, trackerSha256: 's' });
    expect(fold(finished(1, { baseline }))).toMatchObject({ baseline });
  });
});

describe('bounds', () => {
  it('a long series drops waits before failures', () => {
    const failed = Array.from({ length: 40 }, (_, n) => finished(n + 1, { verdict: 'timed_out' }));
    const waits = Array.from({ length: 40 }, (_, n) => finished(n + 41, { verdict: 'rate_limited' }));
    const { attempts } = task(fold(...failed, ...waits));
    expect(attempts).toHaveLength(50);
    expect(attempts.filter((one) => one.verdict === 'timed_out')).toHaveLength(40);
  });

  it('events and runs keep the newest', () => {
    const many = Array.from({ length: 2500 }, (_, n) => event(n + 1));
    const state = fold(
      ...Array.from({ length: 120 }, (_, n) => ({ ...RUN, run: `r-${n}` })),
      finished(1, { events: many }),
    );
    expect([state.events.length, state.events.at(-1)?.id, state.eventTotals.count]).toEqual([
      2000,
      'e-2500',
      2500,
    ]);
    expect([state.runs.length, state.runs.at(-1)?.run]).toEqual([100, 'r-119']);
  });
});

describe('the state given', () => {
  it('stays as it was, and untouched parts are shared', () => {
    const before = fold(RUN, started(1), finished(1), started(2, 'B'));
    const copy = structuredClone(before);
    const after = applyRecord(before, {
      seq: 5,
      at: time(5),
      ...finished(2, { taskId: 'B', events: [event(1)] }),
    });
    expect(before).toEqual(copy);
    expect(after.tasks.A).toBe(before.tasks.A);
    expect(EMPTY_STATE.tasks).toEqual({});
  });

  it.each(['__proto__', 'constructor', '7'])('a task may be called %s', (id) => {
    const state = fold(started(1, id), finished(1, { taskId: id }));
    expect(task(state, id).attempts).toEqual([attempt({ iteration: 1 })]);
    expect(taskStateOf(EMPTY_STATE, id)).toEqual(EMPTY_TASK_STATE);
  });
});

describe('what a task is done by', () => {
  const at = time(0);
  const byCommit: DoneBy = { kind: 'commit', commit: 'c1', author: 'Ann', title: 'Task A', at };
  const accepted: JournalBody = { type: 'tasks_accepted', tasks: [{ taskId: 'A', doneBy: byCommit }] };

  it('an accepted task is done, and what its attempts led to is over', () => {
    const blocked = finished(1, { taskStatus: 'blocked', blocked: blockedRecord(), changedPaths: ['a.txt'] });
    const state = fold(RUN, started(1), blocked, accepted);
    expect(task(state)).toMatchObject({ doneBy: byCommit, blocked: null, attempts: [], inProgress: false });
  });

  it('a reopened task is open, and its mark is stale', () => {
    const state = fold(accepted, {
      type: 'tasks_reopened',
      tasks: [{ taskId: 'A', iteration: null }],
      reason: 'x',
    });
    expect(task(state)).toMatchObject({ doneBy: null, staleMark: 'done' });
  });
});

describe('commits that are known', () => {
  it('each run and each attempt moves what is known', () => {
    const state = fold(
      { ...RUN, head: 'h1' },
      started(1),
      finished(1, { head: 'h2' }),
      started(2),
      finished(2, { iteration: 2, head: 'h3' }),
    );
    expect(state.heads).toEqual({ known: 'h3' });
  });

  it('a journal that lost records knows of no commit, and imports nothing', () => {
    const lost = { type: 'journal_unverified', path: null, reason: 'x', records: 4, done: 0 } as const;
    const before = fold({ ...RUN, head: 'h1' });
    const after = fold({ ...RUN, head: 'h1' }, lost);
    expect([before.heads, before.imports]).toEqual([{ known: 'h1' }, false]);
    expect([after.heads, after.imports]).toEqual([{ known: null }, false]);
    expect(fold(lost).imports).toBe(false);
  });
});
