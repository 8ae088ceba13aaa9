import { expect, it } from 'vitest';
import { doneAfter } from '../../../src/app/records/restore-checkpoint.ts';
import { EMPTY_TASK_STATE } from '../../../src/domain/records/state.ts';

it.each([
  ['its attempt began after', 3, '09:00:00.300', true],
  ['its attempt began before, and it was verified before in that second', 1, '09:00:00.900', false],
  ['another worker had begun it before, and it was verified later', 1, '09:00:01.000', true],
  ['it was verified long before', 1, '08:00:00.000', false],
])('a task was done after a checkpoint: %s', (_name, iteration, time, isAfter) => {
  const at = `2026-01-01T${time}Z`;
  const doneBy = { kind: 'verdict' as const, run: 'r-1', iteration, title: 'One', at };
  const tasks = { 'T-1': { ...EMPTY_TASK_STATE, doneBy } };
  const checkpoint = { id: 'r-1/2', at: '2026-01-01T09:00:00.000Z' };
  expect(doneAfter({ tasks }, checkpoint)).toEqual(isAfter ? ['T-1'] : []);
});
