import { describe, expect, it } from 'vitest';
import type { GateOutcome } from '../../../src/domain/gate.ts';
import type { TestCounts, TestResults } from '../../../src/domain/test-results.ts';
import { notGreen, outcomeBy } from '../../../src/proof/results/index.ts';
import { results } from '../../helpers/results.ts';

const counts = (passed: number, failed = 0, skipped = 0): TestCounts => ({
  run: passed + failed,
  ...{ passed, failed, skipped },
});
/** Returns the results of a runner that was recognised. */
const read = (tests: TestCounts | null, over: Partial<TestResults> = {}) =>
  results({ runners: ['vitest'], tests, ...over });
const NONE = read(null, { none: true });

describe('a gate that ends with 0', () => {
  it.each<[string, TestResults | null, TestResults, string | null]>([
    ['ran as many tests', read(counts(12)), read(counts(12)), null],
    ['ran none', read(counts(12)), NONE, 'no test ran (before: 12 passed)'],
    ['counts none', read(counts(12)), read(counts(0)), 'no test ran (before: 12 passed)'],
    ['ran none, and none is counted', read(null), NONE, 'no test ran'],
    ['ran none, as before', NONE, NONE, null],
    ['ran none, and what was before is not known', null, NONE, null],
    ['ran none where it was not recognised before', results({ uncounted: ['jest'] }), NONE, null],
    ['ran its first tests', NONE, read(counts(3)), null],
    ['skips all', read(counts(12)), read(counts(0, 0, 12)), 'all its tests are skipped (before: 12 passed)'],
    ['skips all, as before', read(counts(0, 0, 12)), read(counts(0, 0, 12)), null],
    ['has first tests that are skipped', NONE, read(counts(0, 0, 2)), null],
    [
      'could not load a file',
      read(counts(12)),
      read(counts(9), { notLoaded: ['test/a.js'] }),
      'test/a.js could not be loaded',
    ],
    [
      'could not load a file that it does not name',
      read(counts(2)),
      read(counts(2), { notLoaded: [] }),
      'a file could not be loaded',
    ],
    [
      'could not load the same file before',
      read(counts(9), { notLoaded: ['test/a.js'] }),
      read(counts(9), { notLoaded: ['test/a.js'] }),
      null,
    ],
    [
      'could not load another file',
      read(counts(9), { notLoaded: ['test/a.js'] }),
      read(counts(9), { notLoaded: ['test/a.js', 'test/b.js'] }),
      'test/b.js could not be loaded',
    ],
    [
      'has its first file, which is not loaded',
      null,
      read(null, { notLoaded: ['test/a.js'] }),
      'test/a.js could not be loaded',
    ],
    [
      'has a focus',
      read(counts(12)),
      read(counts(1), { focused: true }),
      'a focus left tests out (before: 12 passed)',
    ],
    ['had the focus before', read(counts(1), { focused: true }), read(counts(1), { focused: true }), null],
    [
      'lost tests',
      read(counts(12)),
      read(counts(9, 0, 1)),
      '3 tests that ran before are gone (before: 12 passed; now: 9 passed, 1 skipped)',
    ],
    ['reports a failed test', read(counts(12)), read(counts(11, 1)), 'it reports 1 failed test'],
    ['reports a failed test among its first ones', null, read(counts(2, 1)), 'it reports 1 failed test'],
    ['reports the failed test of before', read(counts(11, 1)), read(counts(11, 1)), null],
    [
      'has a part that is not read any more',
      read(counts(12)),
      read(counts(4), { uncounted: ['mocha'] }),
      null,
    ],
  ])('%s', (_, before, now, text) => {
    expect(notGreen({ now, before }, 'npm test')?.text ?? null).toBe(text);
  });
});

it.each([
  ['npm test', 'no test ran (before: 12 passed)'],
  ['pnpm -r --filter ./packages/** test', 'no test ran (before: 12 passed)'],
  ['npx nx affected -t test', null],
  ['pnpm --filter "...[origin/main]" test', null],
  ['npx turbo run test --affected', null],
  ['npx lerna run test --since main', null],
])('ran none, as `%s`', (run, text) => {
  expect(notGreen({ now: NONE, before: read(counts(12)) }, run)?.text ?? null).toBe(text);
});

it('a runner that ends with 0 whatever its tests say is red by its words', () => {
  const passed: GateOutcome = { kind: 'passed' };
  const deaf = [{ name: 'vitest', endsWithZero: true as const }];
  expect(outcomeBy(passed, read(counts(3, 1)), deaf)).toEqual({ kind: 'failed', exitCode: 0, signal: null });
  expect(outcomeBy(passed, read(null, { failing: ['a'] }), deaf).kind).toBe('failed');
  expect(outcomeBy(passed, read(counts(3)), deaf)).toBe(passed);
  expect(outcomeBy(passed, read(counts(3, 1)), [{ name: 'vitest' }])).toBe(passed);
  expect(outcomeBy(passed, null, deaf)).toBe(passed);
});
