import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith } from '../reading.ts';

/**
 * Reads `Running 4 test cases...` of Boost.Test, `*** No errors detected` or how many failures there are, and
 * `sums.cpp(9): error: in "adds": …`. Its sums count assertions, so failing tests are counted by name; beside expected
 * failures they aren't known. It runs no disabled tests, and counts those that it leaves out after another one failed.
 */
export const boost: Runner = { name: 'boost', read };

const RUNNING = /^Running (\d+) test cases?\.\.\.$/;
const END =
  /^\*\*\* (?:No errors detected|(\d+ failures? (?:is|are) detected)( \(\d+ failures? (?:is|are) expected\))? in the test \w+ ".*")$/;
const FAILED = /^(?:unknown location\(0\)|(\S+)\((\d+)\)): (?:fatal )?error: in "([^"]+)": /;

function read(lines: readonly string[]): Reading | null {
  const [starts, ends] = [linesWith(lines, RUNNING), linesWith(lines, END)];
  if (starts.length === 0 || ends.length === 0) return null;
  const at = [...starts, ...ends];
  const failed = ends.flatMap((end) => {
    const [, detected, expected] = END.exec(lines[end] ?? '') ?? [];
    const start = starts.findLast((index) => index < end) ?? end;
    return detected === undefined ? [] : [{ isKnown: expected === undefined, own: lines.slice(start, end) }];
  });
  if (failed.some(({ isKnown }) => !isKnown)) return { tests: null, failing: [], at };
  const failures = failed
    .flatMap(({ own }) => own)
    .flatMap((line) => {
      const [, path, number, test] = FAILED.exec(line) ?? [];
      return test === undefined ? [] : [{ test, place: path === undefined ? null : `${path}:${number}` }];
    });
  const failing = [...new Set(failures.map(({ test }) => test))];
  const places = failing.flatMap((test) => {
    const place = failures.find((one) => one.test === test)?.place ?? null;
    return place === null ? [] : [{ test, place }];
  });
  const run = starts.reduce((all, index) => all + Number(RUNNING.exec(lines[index] ?? '')?.[1]), 0);
  return { tests: counts(run - failing.length, failing.length, 0), failing, places, at };
}
