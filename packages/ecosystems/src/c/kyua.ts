import type { Reading, Runner } from '../protocol.ts';
import { counts, failuresIn, linesWith, namesIn, startedAs } from '../reading.ts';

/** Reads `a_test:adds  ->  passed  [0.1s]` of each test; `4/5 passed (1 failed)` counts skipped ones as passed. */
export const kyua: Runner = {
  name: 'kyua',
  isDistinct: true,
  read,
  starts: startedAs(String.raw`kyua\s+test`),
};

const TEST = /^\S+:\S+ {2}-> {2}\w+/;
const FAILED = /^(\S+:(?!__test_cases_list__)\S+) {2}-> {2}(?:failed|broken): /;
/** A program that doesn't name its tests. */
const UNLOADED = /^(\S+):__test_cases_list__ {2}-> {2}broken: /;

function read(lines: readonly string[]): Reading | null {
  const sums = linesWith(lines, /^\d+\/\d+ passed \(\d+ failed\)$/);
  const results = linesWith(lines, TEST);
  const isEmpty = results.length === 0 && lines.some((line) => line.startsWith('Results file id is '));
  if (sums.length === 0 && !isEmpty) return null;
  const ended = (how: RegExp) => results.filter((index) => how.test(lines[index] ?? '')).length;
  const notLoaded = namesIn(lines, UNLOADED);
  return {
    tests: counts(
      ended(/ {2}-> {2}(?:passed|expected_failure)/),
      ended(FAILED),
      ended(/ {2}-> {2}skipped: /),
    ),
    ...failuresIn(lines, (line) => FAILED.exec(line)?.[1] ?? null),
    ...(notLoaded.length === 0 ? {} : { notLoaded }),
    at: [...results, ...sums],
  };
}
