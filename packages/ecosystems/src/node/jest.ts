import type { Reading, Runner } from '../protocol.ts';
import { failuresIn, linesWith, numbersBefore, startedAs, sumOf } from '../reading.ts';
import { byName } from './canary/rank.ts';
import { javascriptText } from './canary/text.ts';
import { jestJson } from './jest-report.ts';
import { countsOf, ticked } from './printed.ts';

/** Reads `Tests:       1 failed, 1 skipped, 2 passed, 4 total` and `  ● suite › name`; or `--json`. */
export const jest: Runner = {
  canary: { rank: byName, text: javascriptText },
  name: 'jest',
  isDistinct: true,
  read,
  starts: startedAs('jest|jest-cli|react-scripts test'),
};

const SUMMARY = /^\s*Tests: +(.*\d+ total)\s*$/;
const UNLOADED = /^ {2}● Test suite failed to run/;

function read(lines: readonly string[]): Reading | null {
  const summaries = lines.flatMap((line) => {
    const summary = SUMMARY.exec(line)?.[1];
    return summary === undefined ? [] : [countsOf(numbersBefore(summary))];
  });
  if (summaries.length === 0) {
    const none = lines.some((line) => /^No tests found, exiting with code \d/.test(line));
    return none ? { tests: null, failing: [], none } : jestJson(lines);
  }
  const notLoaded = lines.flatMap((line, index) => {
    if (!UNLOADED.test(line)) return [];
    const head = lines.slice(0, index).findLast((one) => /^FAIL\s/.test(one)) ?? '';
    return /^FAIL\s+(\S.*?)(?: \([\d.]+ m?s\))?$/.exec(head)?.[1] ?? [];
  });
  return {
    tests: sumOf(summaries),
    ...failuresIn(lines, (line) => (UNLOADED.test(line) ? null : nameIn(line))),
    passing: ticked(lines),
    ...(lines.some((line) => UNLOADED.test(line)) ? { notLoaded: [...new Set(notLoaded)] } : {}),
    at: linesWith(lines, SUMMARY),
  };
}

function nameIn(line: string): string | null {
  const name = /^ {2}● (.+)$/.exec(line)?.[1] ?? null;
  return name !== null && /^(?:Console|Cannot log after tests are done)/.test(name) ? null : name;
}
