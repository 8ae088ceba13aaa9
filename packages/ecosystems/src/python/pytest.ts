import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, namesIn, numbersBefore, startedAs, sumOf } from '../reading.ts';
import { pytestCanary } from './canary.ts';

/**
 * Reads `=== 1 failed, 2 passed, 1 skipped in 0.12s ===`, without `=` under `-q`, and `FAILED a.py::test_x - reason`.
 */
export const pytest: Runner = {
  canary: pytestCanary,
  name: 'pytest',
  isDistinct: true,
  read,
  starts: startedAs(String.raw`pytest|py\.test|python[\d.]*\s+-m\s+pytest`),
};

const SUM =
  /^(?:=+ )?((?:\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|errors?|warnings?|rerun)(?:, )?)+|no tests ran) in [\d.]+s/;

const COLLECTING = /^_+ ERROR collecting (.+?) _+$/;
/** In the short summary, a file stands without the name of a test. */
const LISTED_FILE = /^ERROR ((?:(?!::)\S)+\.py)(?: - .*)?$/;

function read(lines: readonly string[]): Reading | null {
  const at = linesWith(lines, SUM);
  if (at.length === 0) return null;
  // A file that can't be loaded counts among the errors, once for each process that tried.
  const collecting = linesWith(lines, COLLECTING);
  const listed = linesWith(lines, LISTED_FILE);
  const notLoaded = [...new Set([...namesIn(lines, COLLECTING), ...namesIn(lines, LISTED_FILE)])];
  const all = sumOf(at.map((index) => summary(SUM.exec(lines[index] ?? '')?.[1] ?? '')));
  const tests =
    all === null
      ? null
      : counts(all.passed, Math.max(0, all.failed - Math.max(collecting.length, listed.length)), all.skipped);
  const failing = namesIn(lines, /^(?:FAILED|ERROR) (\S+?(?:\[.*?\])?)(?: - .*)?$/);
  return {
    tests,
    failing: failing.filter((name) => !notLoaded.includes(name)),
    passing: namesIn(lines, /^((?:(?!::)\S)+::.*?) (?:PASSED|XPASS)\b/),
    places: placesOf(lines, failing),
    ...(notLoaded.length === 0 ? {} : { notLoaded }),
    at,
  };
}

function summary(text: string) {
  const { passed = 0, xpassed = 0, failed = 0, error = 0, errors = 0, ...other } = numbersBefore(text);
  const { skipped = 0, xfailed = 0 } = other;
  return counts(passed + xpassed, failed + error + errors, skipped + xfailed);
}

const HEAD = /^_{3,} (\S.*) _{3,}$/;
const SECTION = /^(?:_{3,} .* _{3,}|={3,} .* ={3,})$/;

/**
 * The place is `test_a.py:17: AssertionError` below `____ Case.test_x ____`, or a frame of the test's file above it.
 */
function placesOf(lines: readonly string[], failing: readonly string[]): NonNullable<Reading['places']> {
  const sections = linesWith(lines, SECTION);
  const below = new Map<string, readonly string[]>();
  for (const [at, index] of sections.entries()) {
    const name = HEAD.exec(lines[index] ?? '')?.[1]?.replace(/^ERROR at (?:setup|teardown) of /, '');
    if (name !== undefined && !below.has(name)) below.set(name, lines.slice(index + 1, sections[at + 1]));
  }
  return failing.flatMap((test) => {
    const [file = '', ...parts] = test.split('::');
    const found = (below.get(parts.join('.')) ?? []).find((line) => line.startsWith(`${file}:`));
    const place = /^(\S.*?:\d+):/.exec(found ?? '')?.[1];
    return place === undefined ? [] : [{ test, place }];
  });
}
