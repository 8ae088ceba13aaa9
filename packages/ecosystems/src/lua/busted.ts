import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, startedAs, summedIn } from '../reading.ts';

/**
 * Reads `3 successes / 1 failure / 0 errors / 1 pending : 0.0008 seconds`, then `Failure -> spec/a_spec.lua @ 5` with
 * the name below it. A file that throws and a missing file count as errors.
 */
export const busted: Runner = { name: 'busted', read, starts: startedAs('busted') };

const SUM = /^(\d+) success(?:es)? \/ (\d+) failures? \/ (\d+) errors? \/ (\d+) pending : [\d.]+ seconds$/;
const NO_FILE = /^Error -> No test files found /;
const FAILED = /^(?:Failure|Error) -> (\S.*) @ (\d+)$/;

function read(lines: readonly string[]): Reading | null {
  const sum = summedIn(lines, SUM, (passed = 0, failures = 0, errors = 0, pending = 0) =>
    counts(passed, failures + errors, pending),
  );
  if (sum === null) return null;
  const failed = lines.flatMap((line, index) => {
    const [, file, number] = FAILED.exec(line) ?? [];
    return file === undefined
      ? []
      : [{ file, number, name: lines[index + 1] ?? '', why: lines[index + 2] ?? '' }];
  });
  const files = failed.filter(({ file, name }) => name === `suite ${file}`);
  const tested = failed.filter((one) => !files.includes(one));
  const others = files.length + linesWith(lines, NO_FILE).length;
  const { passed, failed: all, skipped } = sum.tests;
  return {
    tests: counts(passed, Math.max(0, all - others), skipped),
    failing: [...new Set(tested.map(({ name }) => name))],
    places: tested.map(({ file, number, name, why }) => ({
      test: name,
      place: /^(\S+\.lua:\d+): /.exec(why)?.[1] ?? `${file}:${number}`,
    })),
    ...(files.length === 0 ? {} : { notLoaded: files.map(({ file }) => file) }),
    at: sum.at,
  };
}
