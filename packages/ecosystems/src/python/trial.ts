import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, numbersIn, placesBelow, startedAs } from '../reading.ts';

/**
 * Reads `FAILED (skips=1, failures=1, successes=3)` of Twisted's trial, and its blocks of failures. A test that should
 * fail and passes doesn't count as a failure. Without tests it prints `PASSED` alone, and ends with 0. A module that can't be
 * loaded is a test with an error, under the module's name.
 */
export const trial: Runner = {
  name: 'trial',
  read,
  starts: startedAs(String.raw`trial3?|python[\d.]*\s+-m\s+twisted\.trial`),
};

const SUM = /^(?:PASSED|FAILED)(?: \((?:[a-zA-Z]+=\d+(?:, )?)+\))?$/;
const RAN = /^Ran \d+ tests in [\d.]+s$/;
const RULE = /^(?:={79}|-{79})$/;
const HEAD = /^\[(?:FAIL|ERROR|SKIPPED|TODO|SUCCESS!\?!)\]$/;

function read(lines: readonly string[]): Reading | null {
  const sums = linesWith(lines, SUM).filter((index) =>
    RAN.test(lines[index - 2] ?? '')
      ? /\bsuccesses=|^PASSED/.test(lines[index] ?? '') || lines.some((line) => HEAD.test(line))
      : lines[index] === 'PASSED' && RULE.test(lines[index - 2] ?? ''),
  );
  if (sums.length === 0) return null;
  const numbers = numbersIn(
    sums.flatMap((at) => lines[at]?.match(/\w+=\d+/g) ?? []),
    /^(?<word>\w+)=(?<number>\d+)$/,
  );
  const number = (word: string) => numbers[word] ?? 0;
  const broken = linesWith(lines, /^\[(?:FAIL|ERROR)\]$/).flatMap((index) => namesBelow(lines, index));
  // A test is named with its class.
  const notLoaded = broken.filter(({ test }) => !/(?:^|\.)[A-Z_]\w*\.\w+$/.test(test));
  const failing = broken.filter((one) => !notLoaded.includes(one));
  const passed = number('successes') + number('unexpectedSuccesses');
  const failed = Math.max(0, number('failures') + number('errors') - notLoaded.length);
  return {
    tests: counts(passed, failed, number('skips') + number('expectedFailures')),
    failing: failing.map(({ test }) => test),
    places: placesBelow(lines, failing),
    ...(notLoaded.length === 0 ? {} : { notLoaded: notLoaded.map(({ test }) => test) }),
    at: sums.flatMap((at) => [at - 2, at]),
  };
}

/** Returns the tests of a block of results, whose names are its last lines; `index`: the line above its first trace. */
function namesBelow(lines: readonly string[], index: number) {
  const length = lines.slice(index).findIndex((line) => RULE.test(line));
  const block = lines.slice(index, length < 0 ? lines.length : index + length);
  return block.slice(block.lastIndexOf('') + 1).map((test) => ({ test, index }));
}
