import type { Reading, Runner } from '../protocol.ts';
import { counts, summedIn } from '../reading.ts';

/**
 * Reads `all.tcl:	Total	5	Passed	3	Skipped	1	Failed	1`, or one file's line, and `==== breaks-1 FAILED`. tcltest exits
 * with 0 if tests fail or a file throws; such a file is listed below `Test files exiting with errors:` and in no count.
 */
export const tcltest: Runner = {
  name: 'tcltest',
  isDistinct: true,
  read,
  starts: /\btclsh\S*\s+\S*(?:all\.tcl|\.test)\b/,
  endsWithZero: true,
};

const SUM = /^\S+:\tTotal\t(\d+)\tPassed\t(\d+)\tSkipped\t(\d+)\tFailed\t(\d+)$/;

function read(lines: readonly string[]): Reading | null {
  const sum = summedIn(lines, SUM, (_all, passed = 0, skipped = 0, failed = 0) =>
    counts(passed, failed, skipped),
  );
  if (sum === null) return null;
  const errors = lines.findIndex((line) => /^Test files exiting with errors: *$/.test(line));
  const below = errors < 0 ? [] : lines.slice(errors + 2);
  const end = below.findIndex((line) => !/^ {2}\S/.test(line));
  const notLoaded = below.slice(0, end < 0 ? below.length : end).map((line) => line.trim());
  const named = (pattern: RegExp) => [...new Set(lines.flatMap((line) => pattern.exec(line)?.[1] ?? []))];
  return {
    ...sum,
    failing: named(/^==== (\S+) FAILED$/),
    passing: named(/^\+{4} (\S+) PASSED$/),
    ...(errors < 0 ? {} : { notLoaded }),
  };
}
