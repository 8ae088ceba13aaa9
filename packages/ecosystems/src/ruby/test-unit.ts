import type { Reading, Runner } from '../protocol.ts';
import { counts, failuresIn, startedAs, summedIn } from '../reading.ts';

/**
 * Reads `5 tests, 4 assertions, 1 failures, 0 errors, 0 pendings, 1 omissions, 0 notifications`, and `Failure:
 * test_breaks(ATest)`. Omitted and pending tests didn't run. Without tests, nothing is printed.
 */
export const testUnit: Runner = { name: 'test-unit', read, starts: startedAs('test-unit') };

const SUM =
  /^(\d+) tests, \d+ assertions, (\d+) failures, (\d+) errors, (\d+) pendings, (\d+) omissions, \d+ notifications$/;

function read(lines: readonly string[]): Reading | null {
  const sum = summedIn(lines, SUM, (all = 0, failures = 0, errors = 0, pendings = 0, omissions = 0) => {
    const failed = failures + errors;
    return counts(all - failed - pendings - omissions, failed, pendings + omissions);
  });
  if (sum === null) return null;
  return {
    ...sum,
    ...failuresIn(lines, (line, index) =>
      /^=+$/.test(lines[index - 1] ?? '')
        ? (/^(?:Failure|Error): (\S+\(.+?\))(?:: .*)?$/.exec(line)?.[1] ?? null)
        : null,
    ),
    passing: verbose(lines),
  };
}

/** `  test_adds:	.: (0.000295)` below `ATest: `. */
function verbose(lines: readonly string[]): string[] {
  let suite = '';
  return lines.flatMap((line) => {
    suite = /^([A-Z]\S*): $/.exec(line)?.[1] ?? suite;
    const name = /^ +(\S.*?):\t+\.: \([\d.]+\)$/.exec(line)?.[1];
    return name === undefined ? [] : [`${name}(${suite})`];
  });
}
