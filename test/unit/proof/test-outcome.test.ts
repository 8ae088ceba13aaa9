import { expect, it } from 'vitest';
import { testOutcome } from '../../../src/proof/shown/test-outcome.ts';
import { results } from '../../helpers/results.ts';

const FAILED = { kind: 'failed', exitCode: 1, signal: null } as const;

it.each([
  ['passes where others fail, and all are counted', { run: 3, passed: 2, failed: 1, skipped: 0 }, 'passes'],
  ['never ran where a crash ended them all', { run: 1, passed: 0, failed: 1, skipped: 0 }, 'unknown'],
  ['is unknown where a failing one has no name', { run: 3, passed: 1, failed: 2, skipped: 0 }, 'unknown'],
] as const)('a test that is not among the failing: %s', (_what, tests, expected) => {
  const run = { outcome: FAILED, outputTail: 'panic', results: results({ tests, failing: ['TestHalf'] }) };
  expect(testOutcome(run, 'TestDouble')).toBe(expected);
});
