import type { Runner } from '../protocol.ts';
import { closingReader } from '../reading.ts';

/**
 * Reads `Ran 4 tests in 0.001 seconds, 3 successes, 1 failure, 1 skipped` of LuaUnit, and `1) TestSums.test_adds` of each
 * failure. A program without `os.exit(lu.LuaUnit.run())` ends with 0.
 */
export const luaunit: Runner = {
  name: 'luaunit',
  isDistinct: true,
  endsWithZero: true,
  read: closingReader({
    sum: /^Ran (?<run>\d+) tests? in [\d.]+ seconds, (?<passed>\d+) success(?:es)?(?:, (?<failed>\d+) failures?)?(?:, (?<errors>\d+) errors?)?(?:, (?<skipped>\d+) skipped)?(?:, \d+ non-selected)?$/,
    failing: /^\d+\) (\S+)$/,
  }),
};
