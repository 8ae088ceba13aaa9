import type { Reading, Runner } from '../protocol.ts';
import { counts, placesBelow, startedAs } from '../reading.ts';
import { linesOf, names, passingIn, pointsIn, streamsOf } from '../reports/tap-points.ts';
import { byFolder } from './canary/rank.ts';
import { recordedText } from './canary/recorded.ts';

/** Reads TAP with `# skip 1` and `# todo 0`; a failure outside tests is a point named `global failure`. */
export const qunit: Runner = {
  canary: {
    rank: byFolder,
    text: recordedText({
      module: /^qunit$/,
      register: ({ imported, local }) =>
        imported === 'test' ? local : imported === 'default' ? `${local}.test` : null,
      global: 'QUnit.test',
      argument: 'assert',
      asserts: 'assert',
      end: '',
    }),
  },
  name: 'qunit',
  isDistinct: true,
  read,
  starts: startedAs('qunit'),
};

const GLOBAL = 'global failure';

function read(all: readonly string[], whole: boolean): Reading | null {
  const streams = streamsOf(all, /^# skip \d+$/);
  if (streams.length === 0) return null;
  const lines = streams.flatMap((stream) => stream.lines);
  const points = pointsIn(lines);
  const tests = points.filter(({ name }) => name !== GLOBAL);
  const failed = tests.filter((one) => one.failed && !one.skipped);
  const passing = passingIn(tests);
  const skipped = tests.filter((one) => one.skipped).length;
  const notLoaded = lines.flatMap((line) => /^ *Error: Failed to load file (\S+)$/.exec(line)?.[1] ?? []);
  return {
    tests: whole ? counts(passing.length, failed.length, skipped) : null,
    failing: names(failed),
    passing,
    places: placesBelow(
      lines,
      failed.map(({ name, line }) => ({ index: line, test: name })),
    ),
    ...(notLoaded.length === 0 ? {} : { notLoaded }),
    at: linesOf(streams),
  };
}
