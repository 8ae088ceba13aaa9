import type { Runner } from '../protocol.ts';
import { closingReader, startedAs } from '../reading.ts';

/** Reads `1 out of 4 tests failed (0.01s)` and `  breaks:     FAIL`. */
export const tasty: Runner = {
  name: 'tasty',
  read: closingReader({
    sum: /^(?:All|(?<failed>\d+) out of) (?<run>\d+) tests (?:passed|failed) \([\d.]+s\)$/,
    failing: /^\s*(\S.*?): +FAIL(?: \([\d.]+s\))?$/,
  }),
  starts: startedAs(String.raw`(?:cabal|stack)\s+test`),
};
