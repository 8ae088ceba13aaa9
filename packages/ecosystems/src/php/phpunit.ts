import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, startedAs, sumOf } from '../reading.ts';

/**
 * Reads `OK (3 tests, 3 assertions)`, `Tests: 5, Assertions: 4, Failures: 1, Skipped: 1.` or `No tests executed!`,
 * which exits with 0. A class without tests counts as a test with a warning.
 */
export const phpunit: Runner = { name: 'phpunit', isDistinct: true, read, starts: startedAs('phpunit') };

const OK = /^OK \((\d+) tests?, \d+ assertions?\)$/;
const SUM = /^Tests: (\d+), Assertions: \d+(?:, .*)?\.$/;
const NONE = /^No tests executed!$/;
const EMPTY = /^No tests found in class ".*"\.$/;

function read(lines: readonly string[]): Reading | null {
  // A stack frame of PHPUnit shows that errors above it are from PHPUnit's run.
  const own = lines.findLastIndex((line) => /PHPUnit[/\\]TextUI/.test(line));
  const notLoaded = lines
    .slice(0, own + 1)
    .flatMap((line) => /^(?:PHP )?Fatal error: .* in (\S.*?\.php)(?::| on line )\d+$/.exec(line)?.[1] ?? []);
  const at = [OK, SUM, NONE].flatMap((pattern) => linesWith(lines, pattern));
  if (at.length === 0 && notLoaded.length === 0) return null;
  const empty = linesWith(lines, EMPTY).length;
  const summaries = at.flatMap((index) => summary(lines[index] ?? ''));
  const tests = sumOf(summaries);
  const counted = tests === null ? null : counts(tests.passed - empty, tests.failed, tests.skipped);
  return {
    tests: counted,
    ...failures(lines),
    ...(notLoaded.length === 0 ? {} : { notLoaded: [...new Set(notLoaded)] }),
    at,
  };
}

function summary(line: string) {
  if (NONE.test(line)) return [counts(0, 0, 0)];
  const all = Number((OK.exec(line) ?? SUM.exec(line))?.[1]);
  const count = (word: string) => Number(new RegExp(`, ${word}: (\\d+)`).exec(line)?.[1] ?? 0);
  const failed = count('Failures') + count('Errors');
  const skipped = count('Skipped') + count('Incomplete');
  return [counts(all - failed - skipped, failed, skipped)];
}

/**
 * `1) ATest::testBreaks` below `There was 1 failure:`, the place last; with `--testdox`, ` ✘ Breaks` below its class.
 */
function failures(lines: readonly string[]): Required<Pick<Reading, 'failing' | 'places'>> {
  const found: { test: string; place: string | undefined }[] = [];
  let isOfFailures = false;
  let topic = '';
  let isOpen = false;
  for (const line of lines) {
    const section = /^There (?:was|were) \d+ (\w+)/.exec(line)?.[1];
    if (section !== undefined) isOfFailures = /^(?:failure|error)/.test(section);
    if (/^\S/.test(line)) topic = line;
    const numbered = /^\d+\) (.+)$/.exec(line)?.[1];
    const documented = /^ [✘✗] (.+?)(?: \[[\d.]+ ms\])?$/.exec(line)?.[1];
    if (numbered !== undefined || documented !== undefined) {
      isOpen = documented !== undefined || isOfFailures;
      if (isOpen) found.push({ test: numbered ?? `${topic}::${documented}`, place: undefined });
    } else if (OK.test(line) || SUM.test(line) || /^ [✔✓↩∅☢⚠] /.test(line)) isOpen = false;
    const place = /^(?: +│ )?(\S.*\.php:\d+)$/.exec(line)?.[1];
    const last = found.at(-1);
    if (isOpen && place !== undefined && last !== undefined) last.place = place;
  }
  return {
    failing: [...new Set(found.map(({ test }) => test))],
    places: [...new Map(found.map((one) => [one.test, one])).values()].flatMap(({ test, place }) =>
      place === undefined ? [] : [{ test, place }],
    ),
  };
}
