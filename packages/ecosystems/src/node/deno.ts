import type { CanaryPlace, Reading, Runner, TestText } from '../protocol.ts';
import { counts, linesWith, namesIn, numbersBefore, startedAs, sumOf } from '../reading.ts';
import { importsIn } from './canary/imports.ts';
import { byName } from './canary/rank.ts';

/** Reads `FAILED | 3 passed | 1 failed | 1 ignored (25ms)`; a file that throws on loading counts as failed. */
export const deno: Runner = {
  canary: { rank: byName, text: denoText },
  name: 'deno',
  read,
  starts: startedAs(String.raw`deno(?:\s+--\S+)*\s+test`),
};

const SUMMARY = /^(?:ok|FAILED) \| (\d+ passed.*?)(?: \(\d+m?s\))?$/;

function read(lines: readonly string[]): Reading | null {
  const notLoaded = namesIn(lines, /^(\S+) \(uncaught error\)$/).map(relative);
  const summaries = lines.flatMap((line) => {
    const summary = SUMMARY.exec(line)?.[1];
    if (summary === undefined) return [];
    // Steps are already in the number before the parenthesis.
    const { passed = 0, failed = 0, ignored = 0 } = numbersBefore(summary.replace(/\(.*?\)/g, ''));
    return [counts(passed, failed, ignored)];
  });
  const sum = sumOf(summaries);
  if (sum === null)
    return lines.includes('error: No test modules found') ? { tests: null, failing: [], none: true } : null;
  const at = lines.findLastIndex((line) => /^ ?FAILURES ?$/.test(line));
  const places = (at < 0 ? [] : lines.slice(at)).flatMap((line) => {
    const [, test, place] = /^(.+?) => (\S+?:\d+):\d+$/.exec(line) ?? [];
    return test === undefined || place === undefined ? [] : [{ test, place: relative(place) }];
  });
  return {
    tests: counts(sum.passed, Math.max(0, sum.failed - notLoaded.length), sum.skipped),
    failing: places.map(({ test }) => test),
    passing: namesIn(lines, /^(\S.*?) \.\.\. ok(?: \(\d+\D+\))?$/),
    places,
    ...(notLoaded.length === 0 ? {} : { notLoaded }),
    ...(lines.some((line) => line.endsWith('because the "only" option was used')) ? { focused: true } : {}),
    at: linesWith(lines, SUMMARY),
  };
}

function relative(path: string): string {
  return path.replace(/^\.\//, '');
}

/** The test uses a failing assertion that the neighbour imports, or throws an error. */
function denoText({ text, word }: CanaryPlace): TestText {
  const own = importsIn(text).filter(({ from }) => /assert|expect/.test(from));
  const has = (name: string) =>
    own.flatMap(({ bindings }) => bindings).find(({ imported }) => imported === name)?.local;
  const [equals, strict, ok, expects] = [
    has('assertEquals'),
    has('assertStrictEquals'),
    has('assert'),
    has('expect'),
  ];
  const assertion =
    equals !== undefined || strict !== undefined
      ? `${equals ?? strict}(1, 2)`
      : ok !== undefined
        ? `${ok}(false)`
        : expects !== undefined
          ? `${expects}(1).toBe(2)`
          : `throw new Error('${word}')`;
  const lines = [
    ...own.map(({ statement }) => statement),
    `Deno.test('${word}', () => {`,
    `  ${assertion};`,
    '});',
    'export {};',
    '',
  ];
  return { text: lines.join('\n'), loads: [] };
}
