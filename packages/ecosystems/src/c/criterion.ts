import type { Runner } from '../protocol.ts';
import { closingReader, startedAs } from '../reading.ts';

/** Reads `[====] Synthesis: Tested: 4 | Passing: 3 | Failing: 1 | Crashing: 0`; a crash counts as failing, too, and skipped tests are in no number. */
export const criterion: Runner = {
  name: 'criterion',
  read: closingReader({
    sum: /^\[====\] Synthesis: Tested: \d+ \| Passing: (?<passed>\d+) \| Failing: (?<failed>\d+) \| Crashing: \d+ *$/,
    failing: /^\[FAIL\] (\S+): /,
  }),
  starts: startedAs('criterion'),
};
