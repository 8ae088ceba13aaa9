import { EMPTY_TASK } from 'ralph-task-lists/task';
import { expect, it } from 'vitest';
import type { Task } from '../../../src/domain/task.ts';
import { warnOfTicks } from '../../../src/loop/settle-marks.ts';
import { memoryStore } from './helpers.ts';

const ticked = (of: string): Task => ({
  ...EMPTY_TASK,
  ...{ id: 'T-3', status: 'unverified', left: { kind: 'ticked', of } },
});

it('the commit of a tick is named in the run once, and a tick of no commit is not', () => {
  const store = memoryStore();
  const tell = (before: readonly Task[], now: readonly Task[]) =>
    warnOfTicks({ ports: { store } as never }, before, now);
  const open: Task = { ...EMPTY_TASK, id: 'T-3' };
  const [one, other] = [ticked('1a2b3c4 (Ada: "Update")'), ticked('5d6e7f8 (Ada: "Again")')];
  tell([open], [{ ...open, status: 'unverified' }]);
  tell([open], [one]);
  tell([one], [one]);
  tell([one], [other]);
  expect(store.records.map((record) => (record.type === 'warned' ? record.message : record.type))).toEqual([
    `T-3: ticked by commit 1a2b3c4 (Ada: "Update"); ralph hasn't verified it. If it is done: ralph tasks accept T-3`,
    `T-3: ticked by commit 5d6e7f8 (Ada: "Again"); ralph hasn't verified it. If it is done: ralph tasks accept T-3`,
  ]);
});
