import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, numbersIn } from '../reading.ts';
import { bracketed } from './bracketed.ts';

/**
 * Reads `[==========] 5 tests from 1 test suite ran. (2 ms total)`, the passed, skipped and failed counts below, and
 * `  YOU HAVE 1 DISABLED TEST`. `Note: Google Test filter = …` means that tests were left out.
 */
export const gtest: Runner = { name: 'gtest', isDistinct: true, read };

const RAN = /^\[={10}\] (\d+) tests? from \d+ test (?:suite|case)s? ran\. \(\d+ ms total\)$/;
const COUNT = /^\[ +(?<word>PASSED|SKIPPED|FAILED) +\] (?<number>\d+) tests?(?:\.|, listed below:)$/;
const DISABLED = /^ {2}YOU HAVE (\d+) DISABLED TESTS?$/;

function read(lines: readonly string[]): Reading | null {
  const runs = linesWith(lines, RAN);
  if (runs.length === 0) return null;
  const { PASSED = 0, FAILED = 0, SKIPPED = 0 } = numbersIn(lines, COUNT);
  const disabled = lines.reduce((all, line) => all + Number(DISABLED.exec(line)?.[1] ?? 0), 0);
  return {
    tests: counts(PASSED, FAILED, SKIPPED + disabled),
    ...bracketed(lines, (line) => /^(\S.*?:\d+): Failure$/.exec(line)?.[1] ?? null),
    at: [...runs, ...linesWith(lines, COUNT), ...linesWith(lines, DISABLED)],
  };
}
