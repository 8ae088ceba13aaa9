import { namesIn, numbersBefore, sumOf } from '../reading.ts';
import type { Reading, Runner } from '../runner.ts';
import { jestJson } from './jest-report.ts';
import { countsOf, ticked } from './printed.ts';

/** `Tests:       1 failed, 1 skipped, 2 passed, 4 total` and `  ● suite › name`; or `--json`. */
export const jest: Runner = { name: 'jest', read };

function read(text: string): Reading | null {
  const lines = text.split('\n');
  const summaries = lines.flatMap((line) => {
    const summary = /^\s*Tests: +(.*\d+ total)\s*$/.exec(line)?.[1];
    return summary === undefined ? [] : [countsOf(numbersBefore(summary))];
  });
  if (summaries.length === 0) return jestJson(text);
  const failing = namesIn(lines, /^ {2}● (.+)$/).filter(
    (name) => !/^(?:Console|Cannot log after tests are done|Test suite failed to run)/.test(name),
  );
  return { tests: sumOf(summaries), failing, passing: ticked(lines) };
}
