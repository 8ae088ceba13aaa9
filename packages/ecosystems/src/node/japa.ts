import type { Reading, Runner } from '../protocol.ts';
import { counts, failuresIn, linesWith, numbersBefore, startedAs, sumOf } from '../reading.ts';
import { countsOf } from './printed.ts';

/** Reads `Tests  3 passed, 1 failed, 1 skipped (5)` below ` PASSED ` or ` FAILED `, and `❯ group / breaks`. */
export const japa: Runner = {
  name: 'japa',
  isDistinct: true,
  read,
  starts: startedAs(String.raw`japa|node\s+ace\s+test|node\s+bin/test\.[jt]s`),
};

const SUM = /^Tests {2}(\d+ \w+(?:, \d+ \w+)* \(\d+\))$/;

function read(lines: readonly string[]): Reading | null {
  const none = lines.some((line) => /^ NO TESTS EXECUTED *$/.test(line));
  const at = linesWith(lines, SUM).filter((index) => /^ (?:PASSED|FAILED) *$/.test(lines[index - 2] ?? ''));
  if (at.length === 0) return none ? { tests: counts(0, 0, 0), failing: [], none } : null;
  const focused = lines.some((line) => /^ +[✔✖] \[PINNED\] /.test(line));
  return {
    tests: sumOf(at.map((index) => countsOf(numbersBefore(SUM.exec(lines[index] ?? '')?.[1] ?? '')))),
    ...failuresIn(lines, (line) => /^❯ (\S.*)$/.exec(line)?.[1] ?? null),
    ...(focused ? { focused } : {}),
    at,
  };
}
