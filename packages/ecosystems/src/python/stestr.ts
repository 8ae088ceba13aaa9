import type { Reading, Runner } from '../protocol.ts';
import { counts, failuresIn, linesWith, startedAs, sumOf } from '../reading.ts';

/**
 * Reads `Totals`, `Ran: 5 tests in 0.7562 sec.`, ` - Passed: 3`; `{0} tests.test_a.Sums.test_x [0.01s] ... ok`. Without
 * tests: `The specified regex doesn't match with anything`. A module that can't be loaded prevents the run.
 */
export const stestr: Runner = {
  name: 'stestr',
  isDistinct: true,
  read,
  starts: startedAs(String.raw`stestr\s+(?:\S+\s+)*?(?:run|last)`),
};

const RAN = /^Ran: (\d+) tests in [\d.]+ sec\.$/;
const COUNT = /^ - (Passed|Skipped|Expected Fail|Unexpected Success|Failed): (\d+)$/;
const NONE = /^The specified regex doesn't match with anything$/;
const DISCOVERY = /^Failures during discovery$/;

function read(lines: readonly string[]): Reading | null {
  const runs = linesWith(lines, RAN).filter((index) => COUNT.test(lines[index + 1] ?? ''));
  const none = lines.some((line) => NONE.test(line));
  const unloaded = lines.some((line) => DISCOVERY.test(line));
  if (runs.length === 0 && !none && !unloaded) return null;
  const tests = sumOf(
    runs.map((index) => {
      const number = (word: string) =>
        Number(
          lines
            .slice(index + 1, index + 6)
            .flatMap((line) => (COUNT.exec(line)?.[1] === word ? (COUNT.exec(line)?.[2] ?? []) : []))[0] ?? 0,
        );
      return counts(
        number('Passed'),
        number('Failed') + number('Unexpected Success'),
        number('Skipped') + number('Expected Fail'),
      );
    }),
  );
  const notLoaded = lines.flatMap((line) => /^Failed to import test module: (\S+)$/.exec(line)?.[1] ?? []);
  return {
    tests,
    ...failuresIn(lines, (line) => /^\{\d+\} (\S+) \[[\d.]+s\] \.\.\. FAILED$/.exec(line)?.[1] ?? null),
    passing: lines.flatMap((line) => /^\{\d+\} (\S+) \[[\d.]+s\] \.\.\. ok$/.exec(line)?.[1] ?? []),
    ...(none ? { none: true } : {}),
    ...(unloaded ? { notLoaded } : {}),
    at: runs,
  };
}
