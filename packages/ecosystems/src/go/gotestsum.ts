import type { Runner } from '../protocol.ts';
import { closingReader, startedAs } from '../reading.ts';

/** Reads `DONE 5 tests, 1 skipped, 1 failure in 0.01s` and `=== FAIL: pkg TestX (0.00s)`. */
export const gotestsum: Runner = {
  name: 'gotestsum',
  isDistinct: true,
  read: closingReader({
    sum: /^DONE (?:\d+ runs, )?(?<all>\d+) tests?(?:, (?<skipped>\d+) skipped)?(?:, (?<failed>\d+) failures?)?(?:, \d+ errors?)? in [\d.]+s$/,
    failing: /^=== FAIL: (?:\. )?(\S.*?) \([\d.]+s\)$/,
    notLoaded: /\bFAIL\t(\S+) \[(?:build|setup) failed\]$/,
  }),
  starts: startedAs('gotestsum'),
};
