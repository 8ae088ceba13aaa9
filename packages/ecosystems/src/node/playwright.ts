import type { Reading, Runner } from '../protocol.ts';
import { counts, failuresIn, linesWith, startedAs } from '../reading.ts';
import { byName } from './canary/rank.ts';
import { javascriptText } from './canary/text.ts';

/**
 * Reads `Running 5 tests using 1 worker`, `  1 failed` with the tests below it, `  3 passed (5.2s)`. A file that can't
 * be loaded ends the run before that.
 */
export const playwright: Runner = {
  canary: { rank: byName, text: javascriptText },

  name: 'playwright',
  read,
  starts: startedAs(String.raw`playwright\s+test`),
};

const COUNT =
  /^ {2}(\d+) (failed|timed out|interrupted|flaky|skipped|did not run|passed)(?: \([\d.]+m?s?\))?$/;

function read(lines: readonly string[]): Reading | null {
  if (!lines.some((line) => /^Running \d+ tests? using \d+ workers?/.test(line)))
    return lines.includes('Error: No tests found') ? { tests: null, failing: [], none: true } : null;
  const sum = (...words: readonly string[]) =>
    lines.reduce((all, line) => {
      const found = COUNT.exec(line);
      return words.includes(found?.[2] ?? '') ? all + Number(found?.[1]) : all;
    }, 0);
  return {
    tests: counts(
      sum('passed', 'flaky'),
      sum('failed', 'timed out', 'interrupted'),
      sum('skipped', 'did not run'),
    ),
    ...failuresIn(lines, (line) => nameIn(/^ {2}\d+\) (.+?)[ ─]*$/.exec(line)?.[1])),
    passing: lines.flatMap((line) => nameIn(/^ {2}✓ +\d+ (.+?)(?: \([\d.]+m?s\))?$/.exec(line)?.[1]) ?? []),
    at: linesWith(lines, COUNT),
  };
}

/** Returns `[chromium] › a.spec.js:11:1 › suite › name` without the line number, which changes. */
function nameIn(title: string | undefined): string | null {
  return title?.replace(/(\.\w+):\d+:\d+(?= › )/, '$1') ?? null;
}
