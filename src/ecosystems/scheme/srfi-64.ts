import { counts, linesWith, numbersIn } from '../reading.ts';
import type { Reading, Runner } from '../runner.ts';

/**
 * The runner that SRFI-64 describes, as Guile has it: `%%%% Starting test sums`, then `# of expected passes      3` and others for what there
 * is, nothing where no test ran; `a.scm:6: FAIL breaks`. It ends with 0 whatever fails.
 */
export const srfi64: Runner = { name: 'srfi-64', read, endsWithZero: true };

const START = /^%%%% Starting test \S/;
const SUM =
  /^# of (?<word>expected passes|expected failures|unexpected successes|unexpected failures|skipped tests) +(?<number>\d+)$/;
const FAILED = /^(\S.*?:\d+): (?:FAIL|XPASS) (.+)$/;

function read(all: readonly string[]): Reading | null {
  const starts = linesWith(all, START);
  if (starts.length === 0) return null;
  // The log that it writes says the same again.
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
