import { counts, linesWith, sumOf } from '../reading.ts';
import type { Reading, Runner } from '../runner.ts';

/**
 * ` Did 5 checks.` with `    Pass: 3 (60%)` and others below it, and ` Running test BREAKS f`. It counts checks, not tests, and ends with 0
 * whatever fails; ` Didn't run anything...huh?` where there is no check.
 */
export const fiveam: Runner = {
  name: 'fiveam',
  read,
  starts: /\bfiveam:run(?:-all-tests)?!?\b/,
  endsWithZero: true,
};

const DID = /^ Did \d+ checks?\.$/;
const NONE = /^ Didn't run anything\.\.\.huh\?/;

function read(lines: readonly string[]): Reading | null {
  const at = linesWith(lines, DID);
  const none = linesWith(lines, NONE);
  if (at.length + none.length === 0) return null;
  const counted = sumOf(
    at.map((index) => {
      const number = (word: string) =>
        Number(
          lines
            .slice(index + 1, index + 4)
            .flatMap((line) => new RegExp(`^ {4}${word}: (\\d+) \\(`).exec(line)?.[1] ?? [])[0] ?? 0,
        );
      return counts(number('Pass'), number('Fail'), number('Skip'));
    }),
  );
  const tests = counted ?? counts(0, 0, 0);
  const failing = lines.flatMap((line) => /^ +Running test (\S+) \S*[fX]\S*$/.exec(line)?.[1] ?? []);
  return {
    tests,
    failing: [...new Set(failing)],
    at: [...at, ...none],
  };
}
