import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, numbersBefore, startedAs, sumOf } from '../reading.ts';

/** Reads `5 scenarios (3 passed, 1 skipped, 1 failed)`, in any order, and `1) name # a.feature:12`. */
export const cucumber: Runner = {
  name: 'cucumber',
  read,
  starts: startedAs('cucumber(?:-js)?'),
};

const SUMMARY = /^\d+ scenarios?(?: \((.*)\))?$/;

function read(lines: readonly string[]): Reading | null {
  const summaries = lines.flatMap((line) => {
    const found = SUMMARY.exec(line);
    if (found === null) return [];
    const { passed = 0, skipped = 0, ...other } = numbersBefore(found[1] ?? '');
    // Undefined, ambiguous and pending scenarios also fail the run.
    const failed = Object.values(other).reduce((all, one) => all + one, 0);
    return [counts(passed, failed, skipped)];
  });
  if (summaries.length === 0) return null;
  const places = lines.flatMap((line) => {
    const [, test, place] =
      /^ *\d+\) (?:Scenario: )?(.+?)(?: \(attempt \d+\))? # (\S+\.feature:\d+)$/.exec(line) ?? [];
    return test === undefined || place === undefined ? [] : [{ test, place }];
  });
  return {
    tests: sumOf(summaries),
    failing: [...new Set(places.map(({ test }) => test))],
    places,
    at: linesWith(lines, SUMMARY),
  };
}
