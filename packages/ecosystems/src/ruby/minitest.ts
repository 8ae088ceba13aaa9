import type { Reading, Runner } from '../protocol.ts';
import { counts, startedAs, summedIn } from '../reading.ts';

/**
 * Reads `5 runs, 4 assertions, 1 failures, 0 errors, 1 skips`, also of Rails, and
 * `ATest#test_breaks [test/a_test.rb:9]:` below `  1) Failure:`. If no file requires minitest, nothing is printed.
 */
export const minitest: Runner = {
  name: 'minitest',
  isDistinct: true,
  read,
  starts: startedAs(String.raw`minitest|rails\s+test`),
};

const SUM = /^(\d+) runs, \d+ assertions, (\d+) failures, (\d+) errors, (\d+) skips$/;

function read(lines: readonly string[]): Reading | null {
  const sum = summedIn(lines, SUM, (all = 0, failures = 0, errors = 0, skipped = 0) =>
    counts(all - failures - errors - skipped, failures + errors, skipped),
  );
  if (sum === null) return null;
  const failed = lines.flatMap((line, index) => {
    if (!/^(?: +\d+\) )?(?:Failure|Error):$/.test(line)) return [];
    const [, test, place] = /^([^#]+#.+?)(?: \[([^\]]{1,300}:\d+)\])?:$/.exec(lines[index + 1] ?? '') ?? [];
    return test === undefined ? [] : [{ test, place: place ?? raisedAt(lines.slice(index + 2, index + 30)) }];
  });
  const passing = lines.flatMap((line) => /^([^#]+#.+) = [\d.]+ s = \.$/.exec(line)?.[1] ?? []);
  return {
    ...sum,
    failing: [...new Set(failed.map(({ test }) => test))],
    passing,
    places: failed.flatMap(({ test, place }) => (place === undefined ? [] : [{ test, place }])),
  };
}

/** Returns the first line of the project's own code below an error. */
function raisedAt(lines: readonly string[]): string | undefined {
  const end = lines.indexOf('');
  return lines
    .slice(0, end < 0 ? lines.length : end)
    .flatMap((line) => /^ +((?!.*\/gems\/)\S.*?:\d+):in /.exec(line)?.[1] ?? [])[0];
}
