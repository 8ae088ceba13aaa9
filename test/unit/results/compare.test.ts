import { expect, it } from 'vitest';
import type { TestCounts } from '../../../src/domain/results/test-results.ts';
import { switchedOff } from '../../../src/results/index.ts';

const counts = (passed: number, skipped: number): TestCounts => ({
  ...{ run: passed, passed, failed: 0, skipped },
});
const gate = (before: TestCounts | null, now: TestCounts | null) => ({
  gate: 'test',
  now: { tests: now, failing: [], passing: null, coverage: null },
  before: { tests: before, failing: [], passing: null, coverage: null },
  newlyFailing: [],
  failingBefore: [],
});

it.each<[string, ReturnType<typeof gate>[], number]>([
  ['a test that passed is skipped', [gate(counts(5, 0), counts(4, 1))], 1],
  ['more are skipped than pass less: new ones, too', [gate(counts(5, 0), counts(4, 3))], 1],
  ['fewer pass, as one was deleted', [gate(counts(5, 0), counts(4, 0))], 0],
  ['a new test that is skipped', [gate(counts(5, 0), counts(5, 1))], 0],
  ['a skipped test that runs again', [gate(counts(4, 1), counts(5, 0))], 0],
  ['the counts of before are not known', [gate(null, counts(4, 1))], 0],
  ['the counts of now are not known', [gate(counts(5, 0), null)], 0],
  ['in two gates', [gate(counts(5, 0), counts(4, 1)), gate(counts(9, 2), counts(7, 4))], 3],
])('tests that are switched off: %s', (_, all, expected) => {
  expect(switchedOff(all)).toBe(expected);
});
