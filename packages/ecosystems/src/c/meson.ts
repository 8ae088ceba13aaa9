import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, namesIn, numbersIn, startedAs } from '../reading.ts';

/**
 * Reads the sums of `meson test`, from `Ok:  3` to `Timeout:  0`, and each test's line. A test in TAP whose program
 * prints nothing counts as skipped. Without tests it ends with 0, after `No tests defined.`
 */
export const meson: Runner = {
  name: 'meson',
  isDistinct: true,
  read,
  starts: startedAs(String.raw`meson\s+test`),
};

const SUM = /^(?<word>Ok|Expected Fail|Fail|Unexpected Pass|Skipped|Timeout): +(?<number>\d+) *$/;
const NONE = /^No (?:suitable )?tests defined\.$/;
const FAILED = /^ *\d+\/\d+ (.+?) +(?:FAIL|ERROR|TIMEOUT|UNEXPECTEDPASS) +[\d.]+s(?: |$)/;
const PASSED = /^ *\d+\/\d+ (.+?) +(?:OK|EXPECTEDFAIL) +[\d.]+s(?: |$)/;

function read(lines: readonly string[]): Reading | null {
  const at = linesWith(lines, SUM);
  if (!lines.some((line) => /^Ok: +\d+ *$/.test(line)))
    return lines.some((line) => NONE.test(line)) ? { tests: null, failing: [], none: true } : null;
  const sums = numbersIn(lines, SUM);
  const sum = (...words: readonly string[]) => words.reduce((all, word) => all + (sums[word] ?? 0), 0);
  return {
    tests: counts(sum('Ok', 'Expected Fail'), sum('Fail', 'Unexpected Pass', 'Timeout'), sum('Skipped')),
    failing: namesIn(lines, FAILED),
    passing: namesIn(lines, PASSED),
    at,
  };
}
