import { counts, placesBelow, startedAs } from '../reading.ts';
import { linesOf, pointsIn, type Stream, streamsOf } from '../reports/tap-points.ts';
import type { Reading, Runner } from '../runner.ts';
import { byFolder } from './canary/rank.ts';
import { recordedText } from './canary/recorded.ts';

/** `# name` above the points of each test, and `# pass  3` with two blanks, which counts assertions: the tests are counted by their names. */
export const tape: Runner = {
  canary: {
    rank: byFolder,
    text: recordedText({
      module: /^tape(?:-\w+)?$/,
      register: ({ imported, local }) => (/^(?:default|test)$/.test(imported) ? local : null),
      global: null,
      argument: 't',
      asserts: 't',
      end: 't.end()',
    }),
  },
  name: 'tape',
  read,
  starts: startedAs('tape'),
};

function read(lines: readonly string[], whole: boolean): Reading | null {
  const streams = streamsOf(lines, /^# pass {2}\d+$/);
  if (streams.length === 0) return null;
  const all = streams.flatMap(testsOf);
  const failed = all.filter((one) => one.failed);
  const failing = failed.map(({ name }) => name);
  const passing = all.filter((one) => !one.failed && !one.skipped).map(({ name }) => name);
  const skipped = all.length - failing.length - passing.length;
  return {
    tests: whole ? counts(passing.length, failing.length, skipped) : null,
    ...{ failing, passing },
    places: failed.flatMap(({ name, place }) => (place === undefined ? [] : [{ test: name, place }])),
    at: linesOf(streams),
  };
}

type Test = {
  readonly name: string;
  readonly failed: boolean;
  readonly skipped: boolean;
  readonly place: string | undefined;
};

/** A comment between the points of a test begins a test as well: both are lines of the same form. */
function testsOf({ lines }: Stream): Test[] {
  const points = new Map(pointsIn(lines).map((point) => [point.line, point]));
  const found = new Map<string, Test>();
  let title: string | null = null;
  for (const [line, text] of lines.entries()) {
    if (/^# \S/.test(text)) title = text.slice(2);
    const point = points.get(line);
    if (point === undefined) continue;
    const { failed, skipped, name } = point;
    const head = title ?? name;
    const before = found.get(head);
    const place = failed ? placesBelow(lines, [{ index: line, test: head }])[0]?.place : undefined;
    found.set(head, {
      name: head,
      failed: before?.failed === true || (failed && !skipped),
      skipped: before?.skipped !== false && skipped,
      place: before?.place ?? place,
    });
  }
  return [...found.values()];
}
