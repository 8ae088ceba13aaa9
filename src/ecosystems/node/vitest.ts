import { namesIn, numbersBefore, sumOf } from '../reading.ts';
import type { Reading, Runner } from '../runner.ts';
import { jestJson } from './jest-report.ts';
import { countsOf, ticked } from './printed.ts';

/**
 * `      Tests  1 failed | 3 passed | 1 skipped (5)` and ` FAIL  a.test.ts > suite > name`, where there are projects with theirs before the file
 * (`|unit| `, or ` unit  ` where that was coloured); or its JSON reporter.
 */
export const vitest: Runner = { name: 'vitest', read };

function read(text: string): Reading | null {
  const lines = text.split('\n');
  const summaries = lines.flatMap((line) => {
    const summary = /^\s*Tests {2,}(\d+ (?:failed|passed|skipped|todo|expected fail).*\(\d+\))\s*$/.exec(
      line,
    )?.[1];
    return summary === undefined ? [] : [countsOf(numbersBefore(summary))];
  });
  // Of a file that can't be loaded there is no test to count.
  const failing = namesIn(lines, /^\s*FAIL {2}(?:\|[^|]+\| | \S+ {2})?(\S.*?)(?: \[ .* \])?$/);
  const isVitest = summaries.length > 0 || lines.some((line) => /^\s*Test Files {2}\d/.test(line));
  const passing = ticked(lines);
  if (isVitest) return { tests: sumOf(summaries), failing, passing };
  // A count that the report of jest alone has.
  return text.includes('"numRuntimeErrorTestSuites"') ? null : jestJson(text);
}
