import { isObject } from 'ralph-kit/is-object';
import type { Reading } from '../protocol.ts';
import { counts, linesWith } from '../reading.ts';

/** Reads the one object of `jest --json` and `vitest --reporter=json`, on its own line among other output. */
export function jestJson(lines: readonly string[]): Reading | null {
  const report = jsonIn(lines, '"numTotalTests"');
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
  const notLoaded = records(testResults).flatMap(({ status, name, assertionResults }) =>
    status === 'failed' && typeof name === 'string' && records(assertionResults).length === 0 ? [name] : [],
  );
  const skipped = number(numPendingTests) + number(numTodoTests);
  const tests = counts(number(numPassedTests), number(numFailedTests), skipped);
  return {
    tests,
    failing,
    passing,
    ...(notLoaded.length === 0 ? {} : { notLoaded }),
    at: linesWith(lines, /"numTotalTests"/),
  };
}

/** Returns the object that has the key, on one line or over several. */
export function jsonIn(lines: readonly string[], key: string): Record<string, unknown> | null {
  const withKey = lines.filter((line) => line.includes(key));
  if (withKey.length === 0) return null;
  const text = lines.join('\n');
  const begin = text.search(/^\{/m);
  const end = text.lastIndexOf('}');
  const whole = begin < 0 ? [] : [text.slice(begin, end + 1)];
  for (const one of [...whole, ...withKey.filter((line) => line.startsWith('{'))]) {
    try {
      const value: unknown = JSON.parse(one);
      if (isObject(value) && key.slice(1, -1) in value) return value;
    } catch {
      // Other text may begin with a brace.
    }
  }
  return null;
}

export function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
