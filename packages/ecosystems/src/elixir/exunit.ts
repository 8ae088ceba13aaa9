import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, sumOf } from '../reading.ts';

/**
 * Reads `Finished in 0.03 seconds (0.00s async, 0.03s sync)`, then `5 tests, 1 failure, 1 skipped`. Files without tests
 * give only `0 failures`, no files `There are no tests to run`.
 */
export const exunit: Runner = {
  name: 'exunit',
  isDistinct: true,
  read,
  starts: /(?:^|[\s;&|('"])mix(?:\s+do)?\s+test\b/m,
};

const FINISHED = /^Finished in [\d.]+ seconds \(/;
const SUM =
  /^((?:\d+ (?:doctests?|properties|property|tests?|features?), )*)(\d+) failures?((?:, \d+ (?:skipped|excluded|invalid))*)$/;
const NONE = /^There are no tests to run$/;
const NOT_COMPILED = /^== Compilation error in file (.+) ==$/;

function read(lines: readonly string[]): Reading | null {
  const at = linesWith(lines, SUM).filter((index) => FINISHED.test(lines[index - 1] ?? ''));
  const none = linesWith(lines, NONE);
  const notLoaded = lines.flatMap((line) => NOT_COMPILED.exec(line)?.[1] ?? []);
  if (at.length + none.length + notLoaded.length === 0) return null;
  const tests = sumOf(at.map((index) => summary(lines[index] ?? '')));
  const ranNothing = tests === null ? none.length > 0 : tests.run === 0 && tests.skipped === 0;
  const isOnly = lines.some((line) => /^Excluding tags: .*:test\b/.test(line));
  return {
    tests,
    ...failures(lines),
    passing: traced(lines),
    ...(ranNothing ? { none: true } : {}),
    ...(notLoaded.length === 0 ? {} : { notLoaded }),
    ...(isOnly ? { focused: true } : {}),
    at,
  };
}

function summary(line: string) {
  const [, before = '', failures = '0', behind = ''] = SUM.exec(line) ?? [];
  const sum = (part: string, word: RegExp) =>
    [...part.matchAll(/(\d+) (\w+)/g)].reduce(
      (all, [, number, of = '']) => all + (word.test(of) ? Number(number) : 0),
      0,
    );
  const failed = Number(failures) + sum(behind, /^invalid$/);
  const skipped = sum(behind, /^(?:skipped|excluded)$/);
  return counts(sum(before, /./) - failed - skipped, failed, skipped);
}

/** Number of lines of a failure that are searched for its place. */
const FAILURE = 80;
const FAILED = /^ +\d+\) (\S.*) \(([\w.]+)\)$/;

/** `--trace` prints `  * test adds (0.00ms) [L#4]` below `ATest [test/a_test.exs]`, for failing tests, too. */
function traced(lines: readonly string[]): string[] {
  const { failing } = failures(lines);
  let suite = '';
  const named = lines.flatMap((line) => {
    suite = /^([A-Z][\w.]*) \[.*\]$/.exec(line)?.[1] ?? suite;
    const name = / {2}\* (\S.*?) \([\d.]+ms\) \[L#\d+\]$/.exec(line)?.[1];
    return name === undefined ? [] : [`${suite} ${name}`];
  });
  return named.filter((name) => !failing.includes(name));
}

/** A failure is `  1) test breaks (ATest)`, its place in the next line, and the failing line below `stacktrace:`. */
function failures(lines: readonly string[]): Required<Pick<Reading, 'failing' | 'places'>> {
  const found = lines.flatMap((line, index) => {
    const [, name, suite] = FAILED.exec(line) ?? [];
    const head = /^ +(\S+\.exs?:\d+)$/.exec(lines[index + 1] ?? '')?.[1];
    if (name === undefined || head === undefined) return [];
    const after = lines.slice(index + 1, index + FAILURE);
    const next = after.findIndex((one) => FAILED.test(one) || FINISHED.test(one));
    const below = after.slice(0, next < 0 ? after.length : next);
    const exact = below.flatMap((one) => /^ +(\S+\.exs?:\d+): \(test\)$/.exec(one)?.[1] ?? [])[0];
    return [{ test: `${suite} ${name}`, place: exact ?? head }];
  });
  return { failing: [...new Set(found.map(({ test }) => test))], places: found };
}
