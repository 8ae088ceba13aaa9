import { counts, linesWith, sumOf } from '../reading.ts';
import type { Reading, Runner } from '../runner.ts';

/** `[doctest] test cases: 4 | 3 passed | 1 failed | 1 skipped`: those that a filter leaves out are skipped, too. */
export const doctest: Runner = { name: 'doctest', read };

const SUM = /^\[doctest\] test cases: +\d+ \| +(\d+) passed \| +(\d+) failed \| +(\d+) skipped$/;

function read(text: string): Reading | null {
  const lines = text.split('\n');
  const at = linesWith(lines, SUM);
  if (at.length === 0) return null;
  const tests = sumOf(
    at.map((index) => {
      const [passed = 0, failed = 0, skipped = 0] = (SUM.exec(lines[index] ?? '') ?? []).slice(1).map(Number);
      return counts(passed, failed, skipped);
    }),
  );
  return {
    tests,
    ...failures(lines),
    ...(tests?.run === 0 && tests.skipped === 0 ? { none: true } : {}),
    at,
  };
}

/** `TEST CASE:  breaks` below the place of the test, and `tests.cpp:7: ERROR: …` below that. */
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
