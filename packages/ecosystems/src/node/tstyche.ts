import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, namesIn, numbersBefore, startedAs, sumOf } from '../reading.ts';

/** Reads `Tests:      1 failed, 3 passed, 5 total`, which is missing without tests. Type tests aren't executed. */
export const tstyche: Runner = { name: 'tstyche', isDistinct: true, read, starts: startedAs('tstyche') };

const TESTS = /^Tests: +(.*\d+ total)$/;

function read(lines: readonly string[]): Reading | null {
  if (lines.some((line) => /^Error: No test files were selected/.test(line)))
    return { tests: null, failing: [], none: true };
  if (!lines.some((line) => /^Targets: +\d+ /.test(line))) return null;
  const summaries = lines.flatMap((line) => {
    const summary = TESTS.exec(line)?.[1];
    if (summary === undefined) return [];
    const { passed = 0, failed = 0, skipped = 0, todo = 0 } = numbersBefore(summary);
    return [counts(passed, failed, skipped + todo)];
  });
  const places = lines.flatMap((line) => {
    const [, place, test] = /^ +at (\S+?:\d+):\d+ ❭ (.+)$/.exec(line) ?? [];
    return place === undefined || test === undefined ? [] : [{ test, place: place.replace(/^\.\//, '') }];
  });
  const failing = [...new Set(places.map(({ test }) => test))];
  return {
    tests: sumOf(summaries) ?? counts(0, 0, 0),
    failing,
    places: failing.flatMap((name) => places.find(({ test }) => test === name) ?? []),
    passing: namesIn(lines, /^ +\+ (.+)$/),
    at: linesWith(lines, TESTS),
  };
}
