import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith } from '../reading.ts';
import { bracketed } from './bracketed.ts';

/** Reads `[==========] 5 test(s) run.`, with a group's name before the number, and the counts below it. */
export const cmocka: Runner = { name: 'cmocka', isDistinct: true, read };

const RAN = /^\[={10}\] (?:.*: )?(\d+) test\(s\) run\.$/;
const COUNT = /^\[ +(PASSED|SKIPPED|FAILED) +\] (?:.*: )?(\d+) test\(s\)(?:\.|, listed below:)$/;

function read(lines: readonly string[]): Reading | null {
  const runs = linesWith(lines, RAN);
  if (runs.length === 0) return null;
  const at = [...runs, ...linesWith(lines, COUNT)];
  const sum = (word: string) =>
    lines.reduce((all, line) => {
      const found = COUNT.exec(line);
      return found?.[1] === word ? all + Number(found[2]) : all;
    }, 0);
  const tests = counts(sum('PASSED'), sum('FAILED'), sum('SKIPPED'));
  return {
    tests,
    ...bracketed(lines, (line) => /^\[ +LINE +\] --- (\S.*?:\d+): /.exec(line)?.[1] ?? null),
    at,
  };
}
