import { counts, namesIn, numbersBefore, sumOf } from '../reading.ts';
import type { Reading, Runner } from '../runner.ts';

/** `=== 1 failed, 2 passed, 1 skipped in 0.12s ===`, with `-q` without the marks; `FAILED a.py::test_x - reason`. */
export const pytest: Runner = { name: 'pytest', read };

function read(text: string): Reading | null {
  const lines = text.split('\n');
  const summaries = lines.flatMap((line) => {
    const summary =
      /^(?:=+ )?((?:\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|errors?|warnings?|rerun)(?:, )?)+|no tests ran) in [\d.]+s/.exec(
        line,
      )?.[1];
    if (summary === undefined) return [];
    const { passed = 0, xpassed = 0, failed = 0, error = 0, errors = 0, ...other } = numbersBefore(summary);
    const { skipped = 0, xfailed = 0 } = other;
    return [counts(passed + xpassed, failed + error + errors, skipped + xfailed)];
  });
  if (summaries.length === 0) return null;
  return {
    tests: sumOf(summaries),
    failing: namesIn(lines, /^(?:FAILED|ERROR) (\S+?(?:\[.*?\])?)(?: - .*)?$/),
    passing: namesIn(lines, /^(\S+::.*?) (?:PASSED|XPASS)\b/),
  };
}
