import type { Reading, Runner } from '../protocol.ts';
import { counts, summedIn } from '../reading.ts';

/** Reads `[doctest] test cases: 4 | 3 passed | 1 failed | 1 skipped`; filtered tests count as skipped. */
export const doctest: Runner = { name: 'doctest', isDistinct: true, read };

const SUM = /^\[doctest\] test cases: +\d+ \| +(\d+) passed \| +(\d+) failed \| +(\d+) skipped$/;

function read(lines: readonly string[]): Reading | null {
  const sum = summedIn(lines, SUM, (passed = 0, failed = 0, skipped = 0) => counts(passed, failed, skipped));
  if (sum === null) return null;
  return {
    ...sum,
    ...failures(lines),
  };
}

/** A failure is the test's place, `TEST CASE:  breaks`, and below it `tests.cpp:7: ERROR: …`. */
function failures(lines: readonly string[]): Required<Pick<Reading, 'failing' | 'places'>> {
  const found = new Map<string, string>();
  let test: string | null = null;
  for (const line of lines) {
    test = /^TEST CASE: {2}(.+)$/.exec(line)?.[1] ?? test;
    const place = /^(\S.*?:\d+): (?:FATAL )?ERROR: /.exec(line)?.[1];
    if (test !== null && place !== undefined && !found.has(test)) found.set(test, place);
  }
  const all = [...found];
  return {
    failing: all.map(([name]) => name),
    places: all.map(([name, place]) => ({ test: name, place })),
  };
}
