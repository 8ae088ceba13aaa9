import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, startedAs, summedIn } from '../reading.ts';

/**
 * Reads `Ran 3 tests containing 5 assertions.` and `FAIL in (adds) (sums_test.clj:7)` of clojure.test. The line
 * `1 failures, 0 errors.` counts assertions, so failing tests are counted by name. `run-tests` alone ends with 0.
 */
export const clojureTest: Runner = {
  name: 'clojure-test',
  read,
  starts: startedAs(String.raw`lein\s+test`),
  endsWithZero: true,
};

const RAN = /^Ran (\d+) tests containing \d+ assertions\.$/;
const FAILED = /^(?:FAIL|ERROR) in \((.*)\) \((\S+:\d+)\)$/;

function read(lines: readonly string[]): Reading | null {
  const ran = summedIn(lines, RAN, (run = 0) => counts(run, 0, 0));
  if (ran === null) return null;
  const failures = linesWith(lines, FAILED).map((index) => {
    const [, name = '', place = ''] = FAILED.exec(lines[index] ?? '') ?? [];
    const namespace = lines
      .slice(0, index)
      .findLast((line) => line.startsWith('Testing '))
      ?.slice(8);
    return { test: namespace === undefined ? name : `${namespace} > ${name}`, place };
  });
  const failing = [...new Set(failures.map(({ test }) => test))];
  // Where a test throws, the place may be in Clojure itself.
  const places = failures.filter(({ place }) => /\.clj\w?:/.test(place));
  const failed = Math.min(failing.length, ran.tests.run);
  return {
    tests: counts(ran.tests.run - failed, failed, 0),
    failing,
    places: failing.flatMap((name) => places.find(({ test }) => test === name) ?? []),
    at: ran.at,
  };
}
