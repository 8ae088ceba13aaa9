import { describe, expect, it } from 'vitest';
import { NO_COST } from '../../../src/domain/policy.ts';
import type { JournalBody } from '../../../src/domain/records/journal.ts';
import { EMPTY_STATE, type Workplace, workplaceStateOf } from '../../../src/domain/records/state.ts';
import { foldRecords } from '../../../src/state/index.ts';
import { finished, numbered, RUN, started, WORKPLACE } from './records.ts';

const HERE = WORKPLACE;
const THERE: Workplace = { worker: 2, worktree: 'side' };
const NOTHING = { openIteration: null, phase: null, openRollback: null, leftTree: null, checkpoints: [] };

/** Returns what is known of both workplaces after these records. */
function fold(...bodies: JournalBody[]) {
  const state = foldRecords(EMPTY_STATE, numbered([RUN, ...bodies]));
  return { state, here: workplaceStateOf(state, HERE), there: workplaceStateOf(state, THERE) };
}

const startedAt = (at: Workplace, iteration: number, taskId: string) => ({
  ...started(iteration, taskId),
  ...at,
});
const finishedAt = (at: Workplace, iteration: number, more: Parameters<typeof finished>[1] = {}) => ({
  ...finished(iteration, more),
  ...at,
});
const interruptedAt = (at: Workplace, iteration: number, taskId: string): JournalBody => {
  return {
    type: 'iteration_interrupted',
    ...at,
    run: 'r-1',
    iteration,
    taskId,
    reason: 'x',
    cost: NO_COST,
    head: null,
    changedPaths: [],
    leftTree: 'left',
  };
};

const entered = (at: Workplace, iteration: number, phase: 'turn' | 'gates'): JournalBody => ({
  ...{ type: 'phase_entered', iteration, phase, lands: true },
  ...at,
});

describe('what an attempt is at', () => {
  const begun = startedAt(HERE, 1, 'A');
  const waits = entered(HERE, 1, 'turn');
  const done = finishedAt(HERE, 1, { taskStatus: 'done' });
  it.each<[string, JournalBody[], string | undefined]>([
    ['its agent', [begun], undefined],
    ['its turn', [begun, waits], 'turn'],
    ['its gates', [begun, waits, entered(HERE, 1, 'gates')], 'gates'],
    ['nothing, of an attempt that is over', [begun, finishedAt(HERE, 1), waits], undefined],
    ['its landing, once verified', [begun, waits, done], 'landing'],
    [
      'nothing, once it landed',
      [begun, done, { type: 'work_landed', taskId: 'A', commit: 'c', paths: 1 }],
      undefined,
    ],
    [
      'its landing, while another one lands',
      [begun, done, { type: 'work_landed', taskId: 'B', commit: 'c', paths: 1 }],
      'landing',
    ],
    [
      'nothing, once it waits for you',
      [begun, done, { type: 'commit_skipped', run: 'r-1', taskId: 'A', reason: 'x', command: 'y' }],
      undefined,
    ],
    [
      'nothing, once its task is open again',
      [begun, done, { type: 'tasks_reopened', tasks: [{ taskId: 'A', iteration: null }], reason: 'x' }],
      undefined,
    ],
    ['nothing, in the next run', [begun, done, { ...RUN, run: 'r-2' }], undefined],
    ['the next agent', [begun, done, startedAt(HERE, 2, 'B')], undefined],
  ])('%s', (_what, records, name) => {
    expect(fold(...records).here.phase?.name).toBe(name);
  });
});

describe('two workers at once', () => {
  const both = [startedAt(HERE, 1, 'A'), startedAt(THERE, 2, 'B')];

  it('begin an iteration each, and each is open at its own place', () => {
    const { here, there } = fold(...both);
    expect(here.openIteration).toMatchObject({ iteration: 1, taskId: 'A' });
    expect(there.openIteration).toMatchObject({ iteration: 2, taskId: 'B' });
  });

  it('one is interrupted and recovered, the other finishes', () => {
    const between = fold(...both, interruptedAt(HERE, 1, 'A'));
    expect(between.here.openIteration).toBeNull();
    expect(between.there.openIteration).toMatchObject({ iteration: 2 });

    const { state, here, there } = fold(
      ...both,
      interruptedAt(HERE, 1, 'A'),
      startedAt(HERE, 3, 'A'),
      finishedAt(THERE, 2, { taskId: 'B', leftTree: 'left-there' }),
    );
    expect(here).toMatchObject({ openIteration: { iteration: 3 }, leftTree: 'left' });
    expect(there).toMatchObject({ openIteration: null, leftTree: 'left-there' });
    expect(state.tasks.A).toMatchObject({ attempts: [], inProgress: true });
    expect(state.tasks.B?.attempts).toHaveLength(1);
    expect(state.counters.iteration).toBe(3);
  });

  it('the end of an earlier iteration leaves a newer one of its place open', () => {
    const { here } = fold(startedAt(HERE, 1, 'A'), startedAt(HERE, 2, 'A'), interruptedAt(HERE, 1, 'A'));
    expect(here.openIteration).toMatchObject({ iteration: 2 });
  });
});

describe('two rollbacks at once', () => {
  const target = (iteration: number) => ({ checkpoint: `r-1/${iteration}`, tree: `before-${iteration}` });
  const decidedAt = (at: Workplace, iteration: number, taskId: string) => [
    startedAt(at, iteration, taskId),
    finishedAt(at, iteration, { taskId, rollback: target(iteration) }),
  ];
  const both = [...decidedAt(HERE, 1, 'A'), ...decidedAt(THERE, 2, 'B')];
  const done: JournalBody = {
    ...{
      type: 'rollback_finished',
      ...HERE,
      ...target(1),
      taskId: 'A',
      paths: [],
    },
    ...{ reopened: [], feedback: [], throttle: null, baseline: null },
  };
  it('are open each at its own place, until each has its own end', () => {
    const open = fold(...both);
    expect(open.here.openRollback).toEqual({ ...target(1), isKept: false, taskId: 'A' });
    expect(open.there.openRollback).toEqual({
      ...target(2),
      isKept: false,
      taskId: 'B',
    });
  });

  it('one is done, the other stays open with its checkpoints', () => {
    const { here, there } = fold(...both, done);
    expect(here).toMatchObject({ openRollback: null, leftTree: 'before-1', checkpoints: [] });
    expect(there).toMatchObject({
      openRollback: target(2),
      leftTree: 'left-2',
      checkpoints: [{ iteration: 2 }],
    });
  });
});

it('knows nothing of a place where nothing was done', () => {
  expect(fold(startedAt(HERE, 1, 'A')).there).toEqual({ ...THERE, ...NOTHING });
});
