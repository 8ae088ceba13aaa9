import type { Runner } from '../protocol.ts';
import { closingReader, startedAs } from '../reading.ts';

/** Reads `1 failure! in 0.01s. 4 tests run.` and `[FAIL]        sums          3   breaks.`. */
export const alcotest: Runner = {
  name: 'alcotest',
  isDistinct: true,
  read: closingReader({
    sum: /^(?:Test Successful|(?<failed>\d+) failures?!) in [\d.]+s\. (?<run>\d+) tests? run\.$/,
    failing: /^[> ] \[FAIL\] +\S.*? \d+ {3}(\S.*?)\.$/,
  }),
  starts: startedAs(String.raw`dune\s+(?:test|runtest)`),
};
