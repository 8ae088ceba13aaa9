import type { Runner } from '../protocol.ts';
import { closingReader, startedAs } from '../reading.ts';

/** Reads `Errors (1 failures, 5 tests, 4 ran, 4 checks, 1 ignored, …)` and `error: Failure in TEST(Sums, Breaks)`. */
export const cpputest: Runner = {
  name: 'cpputest',
  isDistinct: true,
  read: closingReader({
    sum: /^(?:OK|Errors) \((?:(?<failed>\d+) failures, |ran nothing, )?\d+ tests, (?<run>\d+) ran, \d+ checks, (?<skipped>\d+) ignored, \d+ filtered out, \d+ ms\)$/,
    failing: /^\S+:\d+: error: Failure in TEST\((.+)\)$/,
  }),
  starts: startedAs('cpputest'),
};
