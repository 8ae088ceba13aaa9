import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith } from '../reading.ts';

/**
 * Reads `PASSES 3 out of 3 tests` of `test f`; a failure is a block of `!!!!! test failed` without counts, and exits
 * with 0. `runtests` prints a line per file, `  sums.m ..... PASS      3/4` with `FAIL    1` below it. Without tests:
 * `????? f has no tests available`.
 */
export const octave: Runner = {
  name: 'octave',
  read,
  starts: /\boctave(?:-cli)?\b.*\b(?:o?runtests|test)\b/,
  endsWithZero: true,
};

const SUM = /^PASSES (\d+) out of (\d+) tests?(?: \(.*\))?$/;
const SKIPPED = /^Skipped (\d+) tests? due to /;
const FAILED = /^!{5} .*\bfailed$/;
const NONE = /^\?{5} \S.* has no (?:tests|functions) available$/;
const FILE = /^ {2}(\S.*?) \.{3,} PASS +(\d+)\/(\d+) *$/;

function read(lines: readonly string[]): Reading | null {
  const files = linesWith(lines, FILE);
  const sums = linesWith(lines, SUM);
  const failures = linesWith(lines, FAILED);
  const none = linesWith(lines, NONE);
  const at = [...files, ...sums];
  if (at.length + failures.length + none.length === 0) return null;
  const skipped = lines.reduce((all, line) => all + Number(SKIPPED.exec(line)?.[1] ?? 0), 0);
  const [passed, run] = [1, 2].map((group) =>
    [
      ...sums.map((index) => SUM.exec(lines[index] ?? '')?.[group]),
      ...files.map((index) => FILE.exec(lines[index] ?? '')?.[group + 1]),
    ].reduce((all, one) => all + Number(one ?? 0), 0),
  ) as [number, number];
  const isCounted = failures.length === 0;
  const failing = files
    .filter((index) => /^ +FAIL +\d+ *$/.test(lines[index + 1] ?? ''))
    .map((index) => FILE.exec(lines[index] ?? '')?.[1] ?? '');
  return {
    tests: isCounted ? counts(passed, run - passed, skipped) : null,
    failing: [...failing, ...failures.map((index) => blockAbove(lines, index))],
    at: [...at, ...failures],
  };
}

/** Tests have no names; the test's code stands between `***** test` and the failure. */
function blockAbove(lines: readonly string[], index: number): string {
  const from = lines.slice(0, index).findLastIndex((line) => line.startsWith('***** '));
  return from < 0
    ? 'test'
    : lines
        .slice(from, index)
        .join(' ')
        .replace(/\s+/g, ' ')
        .replace(/^\*{5} /, '')
        .trim();
}
