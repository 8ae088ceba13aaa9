import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, sumOf } from '../reading.ts';

/**
 * Reads ` Did 5 checks.`, the counts below it such as `    Pass: 3 (60%)`, and ` Running test BREAKS f`. fiveam counts
 * checks, not tests, exits with 0 even on failure, and prints ` Didn't run anything...huh?` without checks.
 */
export const fiveam: Runner = {
  name: 'fiveam',
  isDistinct: true,
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
