import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, namesIn, numbersBefore, startedAs, sumOf } from '../reading.ts';

/**
 * Reads `3 scenarios passed, 1 failed, 1 hook_error, 1 skipped, 1 untested`, and `  features/a.feature:12  name` of
 * each failure. Untested scenarios weren't started, as in a dry run or after a global hook threw.
 */
export const behave: Runner = { name: 'behave', read, starts: startedAs('behave') };

const SUM = /^\d+ scenarios? passed, \d+ failed\b/;
const FAILED = /^ {2}(\S.*?\.feature:\d+) {2}(.*)$/;
const NONE = /^ConfigError: No (?:steps directory|feature files) in '/;
const NOT_PARSED = /^ParserError: Failed to parse "(.+)": *$/;
const LOADS = /^ +File ".*\bbehave[\\/]runner_util\.py", line \d+, in exec_file$/;
const HEAD = /^ +[^:#]+: (.*?) +# (\S.*\.feature:\d+)$/;

function read(lines: readonly string[]): Reading | null {
  const at = linesWith(lines, SUM);
  const none = linesWith(lines, NONE).length > 0;
  const notLoaded = [...namesIn(lines, NOT_PARSED), ...brokenFiles(lines)];
  if (at.length === 0 && !none && notLoaded.length === 0) return null;
  const tests = sumOf(at.map((index) => summary(lines[index] ?? '')));
  const places = lines.flatMap((line) => {
    const [, place = '', name = ''] = FAILED.exec(line) ?? [];
    return place === '' ? [] : [{ test: name.trim() || place, place }];
  });
  const passing = passingIn(lines, new Set(places.map(({ place }) => place)));
  return {
    tests,
    failing: [...new Set(places.map(({ test }) => test))],
    places,
    ...(passing.length === tests?.passed ? { passing } : {}),
    ...(none ? { none } : {}),
    ...(notLoaded.length === 0 ? {} : { notLoaded }),
    at,
  };
}

/** Every state except passed, skipped and untested fails the run. */
function summary(line: string) {
  const { passed = 0, skipped = 0, untested: _, ...other } = numbersBefore(line.replace(/scenarios? /, ''));
  const failed = Object.values(other).reduce((all, one) => all + one, 0);
  return counts(passed, failed, skipped);
}

/** Returns files of steps or hooks named in a traceback directly below behave's loading of them. */
function brokenFiles(lines: readonly string[]): string[] {
  return linesWith(lines, LOADS).flatMap(
    (index) => namesIn(lines.slice(index + 1), /^ +File "(.+?)", line \d+/)[0] ?? [],
  );
}

/** Returns printed scenarios that didn't fail, except those whose first step has no place, which are skipped. */
function passingIn(lines: readonly string[], failed: ReadonlySet<string>): string[] {
  return lines.flatMap((line, index) => {
    const [, name, place = ''] = HEAD.exec(line) ?? [];
    return name === undefined || failed.has(place) || /# None$/.test(lines[index + 1] ?? '') ? [] : [name];
  });
}
