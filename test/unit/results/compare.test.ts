import { expect, it } from 'vitest';
import type { GateOutcome } from '../../../src/domain/gate.ts';
import { ranNoTests, type TestCounts } from '../../../src/domain/test-results.ts';
import { absentTests, compareResults, lostTests, switchedOff } from '../../../src/proof/results/index.ts';
import { commandRun } from '../../helpers/facts.ts';
import { results } from '../../helpers/results.ts';
import { baseline, FAILED, PASSED, result } from '../gates/inputs.ts';

const counts = (passed: number, skipped: number): TestCounts => ({
  ...{ run: passed, passed, failed: 0, skipped },
});
const failing = (passed: number, failed: number): TestCounts => ({
  ...{ run: passed + failed, passed, failed, skipped: 0 },
});
const gate = (before: TestCounts | null, now: TestCounts | null) => ({
  gate: 'test',
  now: results({ tests: now }),
  before: results({ tests: before }),
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

const named = (passing: string[], skipped = 0) => ({ ...counts(passing.length, skipped), passing });
const between = (before: ReturnType<typeof named>, now: ReturnType<typeof named>) => {
  const reported = ({ passing, ...tests }: ReturnType<typeof named>) => results({ tests, passing });
  return { now: reported(now), before: reported(before) };
};

it.each<[string, string[], string[], number]>([
  ['one is gone', ['a', 'b'], ['a'], 1],
  ['one is renamed', ['a', 'b'], ['a', 'c'], 0],
  ['one is parametrised', ['a', 'b'], ['a', 'b [1]', 'b [2]'], 0],
  ['one is new', ['a'], ['a', 'b'], 0],
  ['two are gone, one is new', ['a', 'b', 'c'], ['a', 'd'], 1],
  ['none runs any more', ['a', 'b'], [], 2],
])('lost tests by their names: %s', (_what, before, now, expected) => {
  expect(lostTests(between(named(before), named(now)), 'npm test')).toBe(expected);
});

it.each<[string, TestCounts, string[], string[], TestCounts, string[], string[], number]>([
  ['it is gone', failing(1, 1), ['a'], ['b'], failing(1, 0), ['a'], [], 1],
  ['another one fails still', failing(1, 2), ['a'], ['b', 'c'], failing(1, 1), ['a'], ['c'], 1],
  ['it passes', failing(1, 1), ['a'], ['b'], failing(2, 0), ['a', 'b'], [], 0],
  ['it is renamed, and passes', failing(1, 1), ['a'], ['b'], failing(2, 0), ['a', 'c'], [], 0],
  ['it was the name of a file', failing(1, 0), ['a'], ['b.js'], failing(1, 0), ['a'], [], 0],
])(
  'lost tests, where one failed before: %s',
  (_what, ...[then, passing, failed, today, passes, fails, lost]) => {
    const before = results({ tests: then, passing, failing: failed });
    const now = results({ tests: today, passing: passes, failing: fails });
    expect(lostTests({ now, before }, 'npm test')).toBe(lost);
  },
);

it('a suite that runs no test any more lost those that passed, whatever reads it', () => {
  const before = results({ tests: counts(12, 0), runners: ['tap'] });
  const now = results({ tests: counts(0, 0), runners: ['node'] });
  expect(lostTests({ now, before }, 'npm test')).toBe(12);
});

it('a test that is skipped now does not run any more', () => {
  expect(lostTests(between(named(['a', 'b']), named(['a'], 1)), 'npm test')).toBe(1);
});

it.each([
  'npx vitest --changed',
  'jest -o',
  'pytest --lf',
  'nx affected --affected -t test',
  'jest --onlyChanged',
])('%s runs a selection, and loses none', (run) => {
  expect(lostTests(between(named(['a', 'b']), named(['a'])), run)).toBe(0);
});

it('lost tests by the counts, where they have no names', () => {
  expect(lostTests(gate(counts(5, 0), counts(3, 0)), 'npm test')).toBe(2);
  expect(lostTests(gate(counts(5, 1), counts(5, 2)), 'npm test')).toBe(0);
  expect(lostTests(gate(null, counts(0, 0)), 'npm test')).toBe(0);
});

it('absent tests are those without their name, renamed or not; unknown where they have none', () => {
  expect(absentTests(between(named(['a', 'b']), named(['a', 'c'])))).toBe(1);
  expect(absentTests(gate(counts(5, 0), counts(5, 0)))).toBeNull();
});

it('gates that ran no test', () => {
  expect(
    ranNoTests([
      { name: 'none', results: results({ tests: counts(0, 0) }) },
      { name: 'skipped', results: results({ tests: counts(0, 3) }) },
      { name: 'some', results: results({ tests: counts(1, 0) }) },
      { name: 'lint', results: null },
    ]),
  ).toEqual(['none', 'skipped']);
});

it.each<[string, string, GateOutcome, TestCounts | null, boolean]>([
  ['prints nothing', '', PASSED, counts(3, 0), true],
  [
    'prints what it starts',
    '\n> pnpm -r test\n\nScope: 2 of 3 workspace projects\n',
    PASSED,
    counts(3, 0),
    true,
  ],
  ['prints a line', 'all is well\n', PASSED, counts(3, 0), false],
  ['fails', '', FAILED, counts(3, 0), false],
  ['was not read before', '', PASSED, null, false],
  ['skipped all before', '', PASSED, counts(0, 3), false],
])('a gate that %s', (_, outputTail, outcome, tests, isNone) => {
  const before = tests === null ? null : results({ runners: ['minitest'], tests });
  const runs = [commandRun({ name: 'test', outcome: PASSED, why: 'baseline', results: before })];
  const compared = compareResults([result('test', outcome, outputTail)], baseline({}, { runs }));
  expect(compared.map(({ now }) => now.none)).toEqual(isNone ? [true] : []);
});
