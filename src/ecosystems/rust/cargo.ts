import { counts, namesIn, numbersBefore, sumOf } from '../reading.ts';
import type { Reading, Runner } from '../runner.ts';

/** `test result: FAILED. 3 passed; 1 failed; 1 ignored; …` of each binary, and `test a::b ... FAILED`. */
export const cargo: Runner = { name: 'cargo', read };

function read(text: string): Reading | null {
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
