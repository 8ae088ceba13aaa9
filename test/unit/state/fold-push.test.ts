import { expect, it } from 'vitest';
import type { PushResult } from '../../../src/domain/push.ts';
import { EMPTY_STATE } from '../../../src/domain/records/state.ts';
import { foldRecords } from '../../../src/state/index.ts';
import { numbered } from './records.ts';

const failed: PushResult = {
  ...{ run: 'r-1', remote: 'origin', branch: 'main', commit: null, pullRequest: null },
  problem: { reason: 'the remote refuses it.', next: 'git push origin main' },
};
const pushed: PushResult = { ...failed, run: 'r-2', commit: 'a'.repeat(40), problem: null };

it('the newest push counts', () => {
  const records = [failed, pushed].map((one) => ({ type: 'push_ended' as const, ...one, isNews: true }));
  expect(foldRecords(EMPTY_STATE, numbered(records)).push).toEqual(pushed);
  expect(foldRecords(EMPTY_STATE, numbered(records.slice(0, 1))).push).toEqual(failed);
});
