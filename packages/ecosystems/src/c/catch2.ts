import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, sumOf } from '../reading.ts';

/**
 * Reads `All tests passed (3 assertions in 3 test cases)`, `test cases: 4 | 3 passed | 1 failed` or `No tests ran`.
 * Version 2 exits with 0 then. Hidden tests (`[.]`) are in no count.
 */
export const catch2: Runner = { name: 'catch2', read };

const RULE = /^={20,}$/;
const ALL = /^All tests passed \(\d+ assertions? in (\d+) test cases?\)$/;
const SUM = /^test cases: +(\d+)((?: \| +\d+ (?:passed|failed|skipped|failed as expected))*)$/;
const NONE = /^No tests ran$/;

function read(lines: readonly string[]): Reading | null {
  const at = [ALL, SUM, NONE].flatMap((pattern) =>
    linesWith(lines, pattern).filter((index) => RULE.test(lines[index - 1] ?? '')),
  );
  if (at.length === 0) return null;
  const tests = sumOf(at.map((index) => summary(lines[index] ?? '')));
  return {
    tests,
    ...failures(lines),
    at,
  };
}

function summary(line: string) {
  const all = ALL.exec(line)?.[1];
  if (all !== undefined) return counts(Number(all), 0, 0);
  const parts = SUM.exec(line)?.[2] ?? '';
  const count = (word: string) => Number(new RegExp(`(\\d+) ${word}(?: \\||$)`).exec(parts)?.[1] ?? 0);
  return counts(count('passed') + count('failed as expected'), count('failed'), count('skipped'));
}

/** A failure is the test's name between two rules, its place, and below it `tests.cpp:7: FAILED:`. */
function failures(lines: readonly string[]): Required<Pick<Reading, 'failing' | 'places'>> {
  const found = new Map<string, string>();
  let test: string | null = null;
  for (const [index, line] of lines.entries()) {
    if (
      /^-{20,}$/.test(lines[index - 1] ?? '') &&
      /^\S/.test(line) &&
      !/^-{20,}$/.test(line) &&
      !/:\d+$/.test(line)
    )
      test = line;
    const place = /^(\S.*?:\d+): FAILED:$/.exec(line)?.[1];
    if (test !== null && place !== undefined && !found.has(test)) found.set(test, place);
  }
  return {
    failing: [...found.keys()],
    places: [...found].map(([name, place]) => ({ test: name, place })),
  };
}
