import { counts, namesIn, numbersBefore, type Read, sumOf } from '../read.ts';

/** `test result: FAILED. 3 passed; 1 failed; 1 ignored; …` of each binary, and `test a::b ... FAILED`. */
export function cargo(text: string): Read {
  const lines = text.split('\n');
  const summaries = lines.flatMap((line) => {
    const summary = /^test result: \w+\. (\d+ passed; .*)$/.exec(line)?.[1];
    if (summary === undefined) return [];
    const { passed = 0, failed = 0, ignored = 0 } = numbersBefore(summary);
    return [counts(passed, failed, ignored)];
  });
  if (summaries.length === 0) return null;
  const named = namesIn(lines, /^test (\S.*?) \.\.\. FAILED$/);
  // `--quiet` names them in front of what they printed alone.
  const failing = named.length > 0 ? named : namesIn(lines, /^---- (.+) stdout ----$/);
  return { tests: sumOf(summaries), failing, passing: namesIn(lines, /^test (\S.*?) \.\.\. ok$/) };
}

/** `     Summary [   0.012s] 5 tests run: 4 passed, 1 failed, 1 skipped` and `        FAIL [   0.005s] crate a::b`. */
export function nextest(text: string): Read {
  const lines = text.split('\n');
  const summaries = lines.flatMap((line) => {
    const summary = /^ *Summary \[.*?\] (?:\d+\/)?\d+ tests? run: (.*)$/.exec(line)?.[1];
    if (summary === undefined) return [];
    // What is in brackets is a part of the number before: `4 passed (1 flaky)`.
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
