import { expect, it } from 'vitest';
import { resultsText, type TestResults } from '../../../src/domain/test-results.ts';
import { results } from '../../helpers/results.ts';

const TWO = { run: 2, passed: 2, failed: 0, skipped: 0 };

it.each<[Partial<TestResults>, string]>([
  [{}, ''],
  [{ runners: ['go'] }, ''],
  [{ tests: TWO }, '2 tests: 2 passed'],
  [{ none: true }, 'no test ran'],
  [{ tests: { run: 0, passed: 0, failed: 0, skipped: 0 }, none: true }, '0 tests: 0 passed'],
  [{ tests: TWO, uncounted: ['go', 'mocha'] }, '2 tests: 2 passed; not counted: go, mocha'],
  [{ notLoaded: ['a.js', 'b.js'] }, '2 files not loaded'],
  [
    { tests: TWO, notLoaded: [], focused: true },
    '2 tests: 2 passed; files not loaded; a focus left tests out',
  ],
  [{ coverage: 81.5 }, 'coverage 81.5 %'],
])('what a gate reported, %j, is told as "%s"', (over, text) => {
  expect(resultsText({ now: results(over), before: null })).toBe(text);
});
