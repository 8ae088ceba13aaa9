import type { Reading, Runner } from '../protocol.ts';
import { counts, failuresIn, linesWith, startedAs } from '../reading.ts';

/** Reads `  Total:     4` (without skipped tests), `  Skipped:   1`; a file that throws on loading prints nothing. */
export const uvu: Runner = { name: 'uvu', isDistinct: true, read, starts: startedAs('uvu') };

const SUM = /^ {2}(Total|Passed|Skipped): +(\d+)$/;

function read(lines: readonly string[]): Reading | null {
  const sum = (word: string) =>
    lines.reduce((all, line) => {
      const found = SUM.exec(line);
      return found?.[1] === word ? all + Number(found[2]) : all;
    }, 0);
  const at = linesWith(lines, SUM);
  if (at.length < 3) return null;
  const [total, passed] = [sum('Total'), sum('Passed')];
  return {
    tests: counts(passed, total - passed, sum('Skipped')),
    ...failuresIn(lines, (line) => {
      const [, suite = '', name] = /^ {2} FAIL {2}(\S.*? )?"(.*)"$/.exec(line) ?? [];
      return name === undefined ? null : `${suite}${name}`;
    }),
    at,
  };
}
