import type { Reading, Runner } from '../protocol.ts';
import { counts, failuresIn, linesWith, startedAs, sumOf } from '../reading.ts';

/**
 * Reads the last `Chrome 120 (Linux): Executed 4 of 5 (1 FAILED) (skipped 1) (0.1 secs / 0.002 secs)` of each browser,
 * and `Chrome 120 (Linux) suite name FAILED`.
 */
export const karma: Runner = { name: 'karma', isDistinct: true, read, starts: startedAs('karma') };

const EXECUTED =
  /^(\S.*): Executed (\d+) of \d+(?: \((\d+) FAILED\))?(?: \(skipped (\d+)\))?(?: (?:SUCCESS|ERROR|DISCONNECTED))? \(/;

function read(lines: readonly string[]): Reading | null {
  const last = new Map<string, RegExpExecArray>();
  for (const line of lines) {
    const found = EXECUTED.exec(line);
    if (found?.[1] !== undefined) last.set(found[1], found);
  }
  if (last.size === 0) return null;
  const all = [...last.values()].map(([, , run, failed = 0, skipped = 0]) =>
    counts(Number(run) - Number(failed), Number(failed), Number(skipped)),
  );
  const browserOf = (line: string) => [...last.keys()].find((browser) => line.startsWith(`${browser} `));
  const nameIn = (line: string) => line.slice(browserOf(line)?.length ?? line.length);
  return {
    tests: sumOf(all),
    ...failuresIn(lines, (line) => /^ (.+) FAILED$/.exec(nameIn(line))?.[1] ?? null),
    ...(lines.some((line) => nameIn(line) === ' ERROR') ? { notLoaded: [] } : {}),
    at: linesWith(lines, EXECUTED),
  };
}
