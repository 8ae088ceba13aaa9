import type { Reading, Runner } from '../protocol.ts';
import { counts } from '../reading.ts';

/**
 * Reads `[ FAIL 1 | WARN 0 | SKIP 1 | PASS 3 ]`, whose last occurrence is the sum, and which counts expectations, not
 * tests; an empty test is a skip. `Failure ('test-a.R:5'): it breaks` may stand between `──` and have `test-a.R:5:3`.
 */
export const testthat: Runner = {
  name: 'testthat',
  isDistinct: true,
  read,
  starts: /\btest_(?:dir|local|check|file|package)\(|\bdevtools::test\(/,
};

const SUM = /^\[ FAIL (\d+) \| WARN \d+ \| SKIP (\d+) \| PASS (\d+) \]/;
const NONE = /^! No test files found$/;
const FAILED = /^(?:── )?(?:\d+\. )?(?:Failure|Error) \('?(\S+?:\d+)(?::\d+)?'?\): (.+?)(?: ─+)?$/;
const OUTSIDE = '(code run outside of `test_that()`)';

function read(lines: readonly string[]): Reading | null {
  const at = lines.flatMap((line, index) => (SUM.test(line) ? [index] : []));
  if (at.length === 0)
    return lines.some((line) => NONE.test(line)) ? { tests: counts(0, 0, 0), failing: [] } : null;
  const [failed = 0, skipped = 0, passed = 0] = (SUM.exec(lines[at.at(-1) ?? 0] ?? '') ?? [])
    .slice(1)
    .map(Number);
  const found = new Map<string, string>();
  for (const line of lines) {
    const [, place, test] = FAILED.exec(line) ?? [];
    if (place !== undefined && test !== undefined)
      found.set(test === OUTSIDE ? `${OUTSIDE}${place}` : test, place);
  }
  const all = [...found].map(([test, place]) => ({ test, place }));
  const outside = all.filter(({ test }) => test.startsWith(OUTSIDE));
  const failures = all.filter((one) => !outside.includes(one));
  return {
    tests: counts(passed, Math.max(0, failed - outside.length), skipped),
    failing: failures.map(({ test }) => test),
    places: failures,
    ...(outside.length === 0 ? {} : { notLoaded: outside.map(({ place }) => place.replace(/:\d+$/, '')) }),
    at,
  };
}
