import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, startedAs } from '../reading.ts';

/**
 * Reads `80% tests passed, 1 tests failed out of 5`, where skipped tests count as passed and disabled ones don't, and
 * each test's line. `No tests were found!!!` (none, or all disabled) exits with 0.
 */
export const ctest: Runner = { name: 'ctest', isDistinct: true, read, starts: startedAs('ctest') };

const SUM = /^\d+% tests passed, (\d+) tests failed out of (\d+)$/;
const NONE = /^No tests were found!!!$/;
const TEST =
  /^ *\d+\/\d+ Test +#\d+: (.+?) \.{2,}(?: +|\*{3})(Passed|Skipped|Not Run(?: \(Disabled\))?|\S.*?) +[\d.]+ sec$/;
const FAILED = /^\t *\d+ - (.+) \(([^()]+)\)(?: +\S.*)?$/;

function read(lines: readonly string[]): Reading | null {
  const sums = linesWith(lines, SUM);
  const none = linesWith(lines, NONE);
  if (sums.length + none.length === 0) return null;
  const results = lines.flatMap((line) => {
    const [, name, result] = TEST.exec(line) ?? [];
    return name === undefined || result === undefined ? [] : [{ name, result }];
  });
  const named = (wanted: string) => results.filter(({ result }) => result === wanted).map(({ name }) => name);
  const [skipped, disabled] = [named('Skipped').length, named('Not Run (Disabled)').length];
  const [failed, all] = [1, 2].map((group) =>
    sums.reduce((sum, index) => sum + Number(SUM.exec(lines[index] ?? '')?.[group]), 0),
  ) as [number, number];
  const at = lines.indexOf('The following tests FAILED:');
  // "Not Run": the test's program wasn't built.
  const absent = named('Not Run');
  return {
    tests: counts(all - failed - skipped, failed - absent.length, skipped + disabled),
    failing: lines.flatMap((line, index) => {
      const name = at >= 0 && index > at ? FAILED.exec(line)?.[1] : undefined;
      return name === undefined || absent.includes(name) ? [] : [name];
    }),
    passing: named('Passed'),
    ...(sums.length === 0 ? { none: true } : {}),
    ...(absent.length === 0 ? {} : { notLoaded: absent }),
    at: ownLines(lines, [...sums, ...none]),
  };
}

/** ctest's counts include results in the tests' own output, which `--output-on-failure` prints in between. */
function ownLines(lines: readonly string[], ends: readonly number[]): number[] {
  return ends.flatMap((end) => {
    const from = lines.slice(0, end).findLastIndex((line) => line.startsWith('Test project '));
    const start = from < 0 ? end : from;
    return Array.from({ length: end - start + 1 }, (_, index) => start + index);
  });
}
