import { counts, namesIn, numbersBefore, type Read, sumOf } from '../read.ts';

/** `=== 1 failed, 2 passed, 1 skipped in 0.12s ===`, with `-q` without the marks; `FAILED a.py::test_x - reason`. */
export function pytest(text: string): Read {
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

/** `Ran 5 tests in 0.001s`, `FAILED (failures=1, errors=1, skipped=1)`, `FAIL: test_x (module.Case)`. */
export function unittest(text: string): Read {
  const lines = text.split('\n');
  const summaries = lines.flatMap((line, index) => {
    const ran = /^Ran (\d+) tests? in [\d.]+s$/.exec(line)?.[1];
    if (ran === undefined) return [];
    const result = lines.slice(index + 1, index + 4).find((one) => /^(?:OK|FAILED)\b/.test(one)) ?? '';
    const count = (word: string) => Number(new RegExp(`\\b${word}=(\\d+)`).exec(result)?.[1] ?? 0);
    const failed = count('failures') + count('errors') + count('unexpected successes');
    const skipped = count('skipped') + count('expected failures');
    return [counts(Math.max(0, Number(ran) - failed - skipped), failed, skipped)];
  });
  if (summaries.length === 0) return null;
  return { tests: sumOf(summaries), failing: namesIn(lines, /^(?:FAIL|ERROR): (\S+(?: \(.*?\))?)/) };
}
