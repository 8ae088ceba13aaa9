import type { TestCounts } from '../../../domain/test-results.ts';
import { isObject } from '../../../lib/is-object.ts';
import { counts, namesIn, numbersBefore, type Read, sumOf } from '../read.ts';

/**
 * `      Tests  1 failed | 3 passed | 1 skipped (5)` and ` FAIL  a.test.ts > suite > name`, where there are projects with theirs before the file
 * (`|unit| `, or ` unit  ` where that was coloured); or its JSON reporter.
 */
export function vitest(text: string): Read {
  const lines = text.split('\n');
  const summaries = lines.flatMap((line) => {
    const summary = /^\s*Tests {2,}(\d+ (?:failed|passed|skipped|todo|expected fail).*\(\d+\))\s*$/.exec(
      line,
    )?.[1];
    return summary === undefined ? [] : [countsOf(numbersBefore(summary))];
  });
  // Of a file that can't be loaded there is no test to count.
  const failing = namesIn(lines, /^\s*FAIL {2}(?:\|[^|]+\| | \S+ {2})?(\S.*?)(?: \[ .* \])?$/);
  const isVitest = summaries.length > 0 || lines.some((line) => /^\s*Test Files {2}\d/.test(line));
  const passing = ticked(lines);
  if (isVitest) return { tests: sumOf(summaries), failing, passing };
  // A count that the report of jest alone has.
  return text.includes('"numRuntimeErrorTestSuites"') ? null : jestJson(text);
}

/** `Tests:       1 failed, 1 skipped, 2 passed, 4 total` and `  ● suite › name`; or `--json`. */
export function jest(text: string): Read {
  const lines = text.split('\n');
  const summaries = lines.flatMap((line) => {
    const summary = /^\s*Tests: +(.*\d+ total)\s*$/.exec(line)?.[1];
    return summary === undefined ? [] : [countsOf(numbersBefore(summary))];
  });
  if (summaries.length === 0) return jestJson(text);
  const failing = namesIn(lines, /^ {2}● (.+)$/).filter(
    (name) => !/^(?:Console|Cannot log after tests are done|Test suite failed to run)/.test(name),
  );
  return { tests: sumOf(summaries), failing, passing: ticked(lines) };
}

/** Verbose reporters name each test that passes: `  ✓ suite > name 3ms`. */
function ticked(lines: readonly string[]): string[] {
  return lines.flatMap(
    (line) => /^\s+[✓√] (?:\|[^|]+\| | \S+ {2})?(.+?)(?: \(?\d+ ?ms\)?)?$/.exec(line)?.[1] ?? [],
  );
}

function countsOf({
  passed = 0,
  failed = 0,
  skipped = 0,
  todo = 0,
  pending = 0,
  expected = 0,
}: Readonly<Record<string, number>>): TestCounts {
  return counts(passed + expected, failed, skipped + todo + pending);
}

/** The report of `jest --json` and `vitest --reporter=json`: one object, on a line of its own where others print as well. */
function jestJson(text: string): Read {
  const report = jsonIn(text, '"numTotalTests"');
  if (report === null) return null;
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = report;
  const number = (value: unknown) => (typeof value === 'number' ? value : 0);
  const cases = records(testResults).flatMap(({ assertionResults }) => records(assertionResults));
  const failing = cases.flatMap(({ status, fullName }) =>
    status === 'failed' && typeof fullName === 'string' ? [fullName.trim()] : [],
  );
  const passing = cases.flatMap(({ status, fullName }) =>
    status === 'passed' && typeof fullName === 'string' ? [fullName.trim()] : [],
  );
  const skipped = number(numPendingTests) + number(numTodoTests);
  return { tests: counts(number(numPassedTests), number(numFailedTests), skipped), failing, passing };
}

/** `  3 passing (5ms)`, `  1 failing` and the numbered list below it; or `--reporter json`. */
export function mocha(text: string): Read {
  const lines = text.split('\n');
  const sum = (word: string) => {
    const found = lines.flatMap(
      (line) => new RegExp(`^ +(\\d+) ${word}(?: \\(.*\\))?$`).exec(line)?.[1] ?? [],
    );
    return found.length === 0 ? null : found.reduce((all, one) => all + Number(one), 0);
  };
  const passing = sum('passing');
  if (passing === null) return mochaJson(text);
  const at = lines.findIndex((line) => /^ +\d+ failing$/.test(line));
  return {
    tests: counts(passing, sum('failing') ?? 0, sum('pending') ?? 0),
    failing: at < 0 ? [] : numberedNames(lines.slice(at + 1)),
    passing: lines.flatMap((line) => /^ +[✔✓] (.+?)(?: \(\d+ms\))?$/.exec(line)?.[1] ?? []),
  };
}

/** `  1) suite`, then the rest of the name on lines of their own, the last with a colon. */
function numberedNames(lines: readonly string[]): string[] {
  return lines.flatMap((line, index) => {
    const first = /^ +\d+\) (.+)$/.exec(line)?.[1];
    if (first === undefined) return [];
    const parts = [first];
    for (const part of lines.slice(index + 1, index + 12)) {
      if (parts.at(-1)?.endsWith(':') || !/^ {4,}\S/.test(part)) break;
      parts.push(part.trim());
    }
    return [parts.join(' ').replace(/:$/, '')];
  });
}

function mochaJson(text: string): Read {
  const report = jsonIn(text, '"stats"');
  if (report === null || !isObject(report.stats)) return null;
  const { passes, failures, pending } = report.stats;
  if (typeof passes !== 'number' || typeof failures !== 'number') return null;
  const failing = records(report.failures).flatMap(({ fullTitle }) =>
    typeof fullTitle === 'string' ? [fullTitle] : [],
  );
  return { tests: counts(passes, failures, typeof pending === 'number' ? pending : 0), failing };
}

/** The object of the text that has a key, over several lines or on one. */
function jsonIn(text: string, key: string): Record<string, unknown> | null {
  if (!text.includes(key)) return null;
  const begin = text.search(/^\{/m);
  const end = text.lastIndexOf('}');
  const whole = begin < 0 ? [] : [text.slice(begin, end + 1)];
  for (const one of [
    ...whole,
    ...text.split('\n').filter((line) => line.startsWith('{') && line.includes(key)),
  ]) {
    try {
      const value: unknown = JSON.parse(one);
      if (isObject(value) && key.slice(1, -1) in value) return value;
    } catch {
      // Something else that begins with a brace.
    }
  }
  return null;
}

function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
