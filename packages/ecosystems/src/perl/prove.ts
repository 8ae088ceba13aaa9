import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, startedAs } from '../reading.ts';
import { passingIn, pointsIn } from '../reports/tap-points.ts';

/**
 * Reads `Files=1, Tests=5, …` and `Result: PASS`, `FAIL` or `NOTESTS`. `Tests` includes skipped ones, whose number is
 * missing for `ok` files, so passed tests are counted only with `-v`, which prints points.
 */
export const prove: Runner = { name: 'prove', read, starts: startedAs('prove') };

const SUM = /^Files=(\d+), Tests=(\d+), +\d+ wallclock secs? /;
const RESULT = /^Result: (?:PASS|FAIL|NOTESTS)$/;
const POINT = /^ *(?:not )?ok \d+\b/;
const OF_TAP = /^ *(?:(?:not )?ok \d+\b|1\.\.\d+|ok$)/;

function read(lines: readonly string[], whole: boolean): Reading | null {
  const sums = linesWith(lines, SUM).filter((index) => RESULT.test(lines[index + 1] ?? ''));
  if (sums.length === 0) return null;
  const ran = sums.reduce((all, index) => all + Number(SUM.exec(lines[index] ?? '')?.[2]), 0);
  const points = pointsIn(lines.map((line) => (POINT.test(line) ? line : '')));
  const isVerbose = points.length > 0;
  const notLoaded = lines
    .filter((line) => failedToLoad(lines, line))
    .map((line) => line.split(' (Wstat')[0] ?? '');
  const tests = isVerbose ? pointCounts(points) : summed(lines, ran);
  return {
    tests: whole ? tests : null,
    ...failures(lines),
    ...(isVerbose ? { passing: passingIn(points) } : {}),
    ...(ran === 0 ? { none: true } : {}),
    ...(notLoaded.length === 0 ? {} : { notLoaded }),
    at: [...sums.flatMap((index) => [index, index + 1]), ...(isVerbose ? linesWith(lines, OF_TAP) : [])],
  };
}

function pointCounts(points: ReturnType<typeof pointsIn>) {
  const failed = points.filter((one) => one.failed && !one.skipped).length;
  const skipped = points.filter((one) => one.skipped).length;
  return counts(points.length - failed - skipped, failed, skipped);
}

/** Returns counts if every file is listed as failing; `null` if one is `ok`, as prove then prints no skips. */
function summed(lines: readonly string[], ran: number) {
  if (lines.some((line) => /^\S.*? \.\.+ ok\b/.test(line))) return null;
  const sum = (pattern: RegExp) => lines.reduce((all, line) => all + Number(pattern.exec(line)?.[1] ?? 0), 0);
  const failed = sum(/^\S.* \(Wstat: .* Tests: [1-9]\d* Failed: (\d+)\)$/);
  const skipped = sum(/^\t\(less (\d+) skipped subtests?: \d+ okay\)$/);
  return counts(ran - failed - skipped, failed, skipped);
}

/** Whether a line of the summary is of a file that ended before its first test, other than for lack of tests. */
function failedToLoad(lines: readonly string[], line: string): boolean {
  const file = /^(\S.*?) \(Wstat: .* Tests: 0 Failed: 0\)$/.exec(line)?.[1];
  return (
    file !== undefined && !lines.some((one) => one.startsWith(`${file} .`) && one.includes(' skipped: '))
  );
}

/** `#   Failed test 'breaks'` has `#   at t/a.t line 5.` below it; a nameless test has both on one line. */
function failures(lines: readonly string[]): Required<Pick<Reading, 'failing' | 'places'>> {
  const found = lines.flatMap((line, index) => {
    const [, name, here] = /^ *# {3}Failed test(?: '(.*)'| at (\S.*? line \d+)\.)$/.exec(line) ?? [];
    const below = /^ *# {3}at (\S.*? line \d+)\.$/.exec(lines[index + 1] ?? '')?.[1];
    const place = (here ?? below)?.replace(/ line (\d+)$/, ':$1');
    const test = name ?? place;
    return test === undefined ? [] : [{ test, place }];
  });
  return {
    failing: [...new Set(found.map(({ test }) => test))],
    places: found.flatMap(({ test, place }) => (place === undefined ? [] : [{ test, place }])),
  };
}
