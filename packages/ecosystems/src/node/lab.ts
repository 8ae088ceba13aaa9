import type { Runner } from '../protocol.ts';
import { closingReader, startedAs } from '../reading.ts';

/** Reads `1 of 4 tests failed (1 skipped)` and `  4) breaks here:` below `Failed tests:`. */
export const lab: Runner = {
  name: 'lab',
  read: closingReader({
    sum: /^(?:(?<failed>\d+) of )?(?<run>\d+) tests (?:complete|failed)(?: \((?<skipped>\d+) skipped\))?$/,
    failing: /^ {2}\d+\) (\S.*?):?$/,
    notLoaded: /^Error requiring file: (.+)$/,
  }),
  starts: startedAs('lab'),
};
