import type { Reading, Runner } from '../protocol.ts';
import { startedAs } from '../reading.ts';
import { rspec } from '../ruby/rspec.ts';

/** Reads RSpec's closing line below `Finished in 0.01 seconds`, and `  1) sums breaks` with its place above it. */
export const hspec: Runner = {
  name: 'hspec',
  isDistinct: true,
  read,
  starts: startedAs('hspec'),
};

const FAILED = /^ {2}\d+\) (\S.*)$/;
const PLACE = /^ {2}(\S+:\d+):\d+: *$/;

function read(lines: readonly string[], whole: boolean): Reading | null {
  const reading = rspec.read(lines, whole);
  const [at = 0] = reading?.at ?? [];
  const isOwn = /^Finished in [\d.]+ seconds$/.test(lines[at - 1] ?? '');
  if (reading === null || !isOwn || lines.some((line) => /^rspec \S+ # /.test(line))) return null;
  const failed = lines.slice(lines.indexOf('Failures:')).flatMap((line, index, all) => {
    const test = FAILED.exec(line)?.[1];
    return test === undefined ? [] : [{ test, place: PLACE.exec(all[index - 1] ?? '')?.[1] }];
  });
  return {
    ...reading,
    failing: failed.map(({ test }) => test),
    passing: undefined,
    places: failed.flatMap(({ test, place }) => (place === undefined ? [] : [{ test, place }])),
  };
}
