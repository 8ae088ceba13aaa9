import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, numbersIn } from '../reading.ts';

/**
 * Reads SRFI-64's runner, as in Guile: `%%%% Starting test sums`, then `# of expected passes      3` and other counts
 * above zero; `a.scm:6: FAIL breaks`. Nothing is printed if no test ran. The exit code is 0 even on failure.
 */
export const srfi64: Runner = { name: 'srfi-64', read, endsWithZero: true };

const START = /^%%%% Starting test \S/;
const SUM =
  /^# of (?<word>expected passes|expected failures|unexpected successes|unexpected failures|skipped tests) +(?<number>\d+)$/;
const FAILED = /^(\S.*?:\d+): (?:FAIL|XPASS) (.+)$/;

function read(all: readonly string[]): Reading | null {
  const starts = linesWith(all, START);
  if (starts.length === 0) return null;
  // The runner's log repeats the same lines.
  const isLog = (from: number, to = all.length) =>
    all.slice(from, to).some((line) => /^Group begin: /.test(line));
  const logged = starts.findIndex((from, index) => isLog(from, starts[index + 1]));
  const lines = all.slice(0, logged < 0 ? all.length : starts[logged]);
  const sums = numbersIn(lines, SUM);
  const sum = (kind: string) => sums[kind] ?? 0;
  const failed = sum('unexpected failures') + sum('unexpected successes');
  const tests = counts(sum('expected passes'), failed, sum('skipped tests') + sum('expected failures'));
  const failures = lines.flatMap((line) => {
    const [, place, test] = FAILED.exec(line) ?? [];
    return place === undefined || test === undefined ? [] : [{ test, place }];
  });
  return {
    tests,
    failing: [...new Set(failures.map(({ test }) => test))],
    places: failures,
    at: linesWith(all, SUM),
  };
}
