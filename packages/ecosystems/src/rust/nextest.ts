import type { Reading, Runner } from '../protocol.ts';
import { counts, namesIn, numbersBefore, startedAs, sumOf } from '../reading.ts';
import { rustCanary } from './canary.ts';

/** Reads `     Summary [   0.012s] 5 tests run: 4 passed, 1 skipped` and `        FAIL [   0.005s] crate a::b`. */
export const nextest: Runner = {
  canary: rustCanary,
  starts: startedAs(String.raw`cargo\b[^;&|\n]*\s+nextest`),
  name: 'nextest',
  isDistinct: true,
  read,
};

function read(lines: readonly string[]): Reading | null {
  const summaries = lines.flatMap((line) => {
    const summary = /^ *Summary \[.*?\] (?:\d+\/)?\d+ tests? run: (.*)$/.exec(line)?.[1];
    if (summary === undefined) return [];
    // The count in parentheses is part of the number before it: `4 passed (1 flaky)`.
    const { passed = 0, failed = 0, timed = 0, skipped = 0 } = numbersBefore(summary.replace(/\(.*?\)/g, ''));
    return [counts(passed, failed + timed, skipped)];
  });
  if (summaries.length === 0) return null;
  return {
    tests: sumOf(summaries),
    failing: namesIn(
      lines,
      /^ *(?:TRY \d+ )?(?:FAIL|TIMEOUT|SIGABRT|SIGSEGV|ABORT) \[.*?\] (?:\(.*?\) )?(\S.*)$/,
    ),
    passing: namesIn(lines, /^ *PASS \[.*?\] (?:\(.*?\) )?(\S.*)$/),
  };
}
