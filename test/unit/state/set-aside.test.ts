import { expect, it } from 'vitest';
import type { SetAside } from '../../../src/domain/change-set.ts';
import type { JournalBody } from '../../../src/domain/records/journal.ts';
import { EMPTY_STATE, taskStateOf } from '../../../src/domain/records/state.ts';
import { workPlaceOf } from '../../../src/domain/work-place.ts';
import { foldRecords } from '../../../src/state/index.ts';
import { askedOf } from '../../../src/tell/asked.ts';
import { attempt, blockedRecord, finished, RUN, started, time, UNBLOCKED, WORKPLACE } from './records.ts';

const aside = (number: number): SetAside => ({
  ...{ checkpoint: `kept/${number}`, base: 'base', tree: `tree-${number}`, paths: ['a.ts'], sha256: 'x' },
});
const setAside = (number: number, why: 'ended' | 'moved' | 'replaced'): JournalBody => ({
  ...{ type: 'work_set_aside', ...WORKPLACE, taskId: 'A', why, leftTree: 'left' },
  rollback: why === 'replaced' ? { checkpoint: 'r-1/1', tree: 'before-1', taskId: 'A' } : null,
  setAside: aside(number),
});
const back: JournalBody = {
  ...{ type: 'rollback_finished', ...WORKPLACE, checkpoint: 'r-1/1', tree: 'before-1', taskId: 'A' },
  ...{ paths: ['a.ts'], reopened: [], feedback: [], throttle: null, baseline: null },
};
const takenUp = (applied: boolean): JournalBody => ({
  ...{ type: 'work_taken_up', ...WORKPLACE, taskId: 'A', checkpoint: 'kept/1', applied, tree: 't' },
  ...{ head: null, branch: null, paths: applied ? ['a.ts'] : [], leftTree: 'left' },
});
const wrote = finished(1, { verdict: 'gates_failed', changedPaths: ['a.ts'] });
const asks = finished(1, {
  ...{ verdict: 'agent_blocked', changedPaths: ['a.ts'], taskStatus: 'blocked' },
  blocked: blockedRecord({ reason: 'agent_reported_blocked', detail: 'Which port?' }),
});
const ended = finished(1, {
  ...{ verdict: 'gates_failed', changedPaths: ['a.ts'], taskStatus: 'blocked', blocked: blockedRecord() },
});
const done = finished(2, { verdict: 'done', taskStatus: 'done' });

function fold(...bodies: JournalBody[]) {
  const records = [RUN, ...bodies].map((body, index) => ({ seq: index + 1, at: time(index), ...body }));
  return foldRecords(EMPTY_STATE, records);
}

it.each<[string, JournalBody[], string | null, boolean]>([
  ['in the copy', [started(1), wrote], 'a.ts', false],
  ['of a series that ended', [started(1), ended, setAside(1, 'ended')], 'kept/1', true],
  ['replaced by a rollback', [started(1), wrote, setAside(1, 'replaced'), back], 'kept/1', false],
  [
    'replaced by a rollback, of a task that you unblocked',
    [started(1), ended, setAside(1, 'replaced'), back, UNBLOCKED],
    'kept/1',
    true,
  ],
  [
    'of a series that you began afresh',
    [started(1), ended, setAside(1, 'ended'), { ...UNBLOCKED, fresh: true }],
    'kept/1',
    false,
  ],
  ['that is in the copy again', [setAside(1, 'ended'), UNBLOCKED, takenUp(true)], 'a.ts', false],
  ['that no longer applies', [setAside(1, 'ended'), UNBLOCKED, takenUp(false)], 'kept/1', false],
  [
    'of a result that conflicts',
    [{ type: 'tasks_reopened', tasks: [{ taskId: 'A', iteration: null }], reason: 'x', setAside: aside(1) }],
    'kept/1',
    false,
  ],
  [
    'of a question that you answered',
    [started(1), asks, setAside(1, 'ended'), { ...UNBLOCKED, continues: true }],
    'kept/1',
    true,
  ],
  ['that is done', [started(1), wrote, setAside(1, 'replaced'), back, started(2), done], null, false],
])('work %s is kept under its task', (_, records, where, takesUp) => {
  const state = fold(...records);
  const task = taskStateOf(state, 'A');
  const inCopy = task.series?.work[0];
  expect(inCopy ?? task.setAside?.checkpoint ?? null).toBe(where);
  expect(task.takesUp).toBe(takesUp);
  const place = workPlaceOf({ ...state, runs: [], workplaces: [] }, 'A');
  expect(place.kind).toBe(where === null ? 'none' : 'kept');
});

it('a rollback that was cut off knows that the work is kept already', () => {
  const [place] = fold(started(1), wrote, setAside(1, 'replaced')).workplaces;
  expect(place?.openRollback).toEqual({ checkpoint: 'r-1/1', tree: 'before-1', taskId: 'A', isKept: true });
});

it('an answer frees the task, and its attempts continue where they were; an unblock begins anew', () => {
  const task = [{ id: 'A', title: 'Task A' }];
  const asked = fold(started(1), asks);
  expect(askedOf(asked, task)).toMatchObject([
    { taskId: 'A', kind: 'question', text: 'Which port?', commands: ['ralph answer A "…"'] },
  ]);
  const answered = fold(started(1), asks, { ...UNBLOCKED, continues: true });
  expect(taskStateOf(answered, 'A')).toMatchObject({ blocked: null, parked: false, unblocks: { total: 0 } });
  expect(taskStateOf(answered, 'A').attempts).toHaveLength(1);
  expect(askedOf(answered, task)).toEqual([]);
  const unblocked = taskStateOf(fold(started(1), asks, UNBLOCKED), 'A');
  expect(unblocked).toMatchObject({ blocked: null, attempts: [], unblocks: { total: 1 } });
});

it('a task that was done before by its agent is asked about, with both ways out', () => {
  const found = finished(1, { verdict: 'already_done', taskStatus: 'parked', parkedBecause: 'it was done' });
  const state = fold(started(1), { ...found, attempt: attempt({ verdict: 'already_done' }) });
  expect(askedOf(state, [{ id: 'A', title: '' }])).toMatchObject([
    { kind: 'dispute', commands: ['ralph tasks accept A', 'ralph answer A "…"'] },
  ]);
});
