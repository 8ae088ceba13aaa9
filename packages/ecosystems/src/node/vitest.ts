import type { Reading, Runner } from '../protocol.ts';
import { counts, failuresIn, linesWith, numbersBefore, startedAs, sumOf } from '../reading.ts';
import { byName } from './canary/rank.ts';
import { javascriptText } from './canary/text.ts';
import { jestJson } from './jest-report.ts';
import { countsOf, ticked } from './printed.ts';

/**
 * Reads `      Tests  1 failed | 3 passed | 1 skipped (5)` and ` FAIL  a.test.ts > suite > name`, with a project's name
 * before the file (`|unit| `, or ` unit  ` in colour); or the JSON reporter.
 */
export const vitest: Runner = {
  canary: { rank: byName, text: javascriptText },
  name: 'vitest',
  isDistinct: true,
  read,
  starts: startedAs('vitest'),
};

const SUMMARY = /^\s*Tests {2,}(no tests|\d+ (?:failed|passed|skipped|todo|expected fail).*\(\d+\))\s*$/;
const NONE = /^No test files found, exiting with code \d/;
/** A file that can't be loaded has no tests to count: its name stands alone, and again in brackets. */
const FAIL = /^\s*FAIL {2}(?:\|[^|]+\| | \S+ {2})?(\S.*?)( \[ .* \])?$/;

function read(lines: readonly string[]): Reading | null {
  const summaries = lines.flatMap((line) => {
    const summary = SUMMARY.exec(line)?.[1];
    if (summary === undefined) return [];
    return [summary === 'no tests' ? counts(0, 0, 0) : countsOf(numbersBefore(summary))];
  });
  const isVitest =
    summaries.length > 0 || lines.some((line) => /^\s*Test Files {2}\d/.test(line) || NONE.test(line));
  // Only jest's report has this count.
  if (!isVitest)
    return lines.some((line) => line.includes('"numRuntimeErrorTestSuites"')) ? null : jestJson(lines);
  const notLoaded = lines.flatMap((line) => {
    const found = FAIL.exec(line);
    return found?.[2] === undefined ? [] : (found[1] ?? []);
  });
  return {
    tests: sumOf(summaries),
    ...failuresIn(lines, (line) => {
      const found = FAIL.exec(line);
      return found?.[2] === undefined ? (found?.[1] ?? null) : null;
    }),
    passing: ticked(lines),
    ...(summaries.length === 0 ? { none: true } : {}),
    ...(notLoaded.length === 0 ? {} : { notLoaded }),
    at: linesWith(lines, SUMMARY),
  };
}
