import type { Reading, Runner } from '../protocol.ts';
import { counts, placesBelow, startedAs } from '../reading.ts';
import { linesOf, pointsIn, type Stream, streamsIn } from '../reports/tap-points.ts';
import { byFolder } from './canary/rank.ts';
import { recordedText } from './canary/recorded.ts';

/** Reads `# name` above each test's points; `# pass  3`, with two blanks, counts assertions, not tests. */
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
  const streams = streamsIn(lines).filter(
    (one) => one.lines.some((line) => SUM.test(line)) || isCutShort(one),
  );
  if (streams.length === 0) return null;
  const all = streams.flatMap(testsOf);
  const failed = all.filter((one) => one.failed);
  const failing = failed.map(({ name }) => name);
  const passing = all.filter((one) => !one.failed && !one.skipped).map(({ name }) => name);
  const skipped = all.length - failing.length - passing.length;
  return {
    tests: whole ? counts(passing.length, failing.length, skipped) : null,
    failing,
    passing,
    places: failed.flatMap(({ name, place }) => (place === undefined ? [] : [{ test: name, place }])),
    at: linesOf(streams),
  };
}

const SUM = /^# pass {2}\d+$/;

/**
 * Whether a test threw: tape then ends without a summary and the final plan. Other producers print the plan first, name
 * tests otherwise, or indent points.
 */
function isCutShort({ lines }: Stream): boolean {
  return (
    /^TAP version \d+$/.test(lines[0] ?? '') &&
    /^# (?!Subtest)\S/.test(lines[1] ?? '') &&
    lines.some((line) => /^(?:not )?ok \d/.test(line)) &&
    !lines.some((line) => /^ *1\.\.\d|^ +(?:not )?ok\b|^# pass\b/.test(line))
  );
}

type Test = {
  readonly name: string;
  readonly failed: boolean;
  readonly skipped: boolean;
  readonly place: string | undefined;
};

/** A comment between points looks the same as a test's name, so it begins a test. */
function testsOf(stream: Stream): Test[] {
  const { lines } = stream;
  const points = new Map(pointsIn(lines).map((point) => [point.line, point]));
  const found = new Map<string, Test>();
  let title: string | null = null;
  let begun = 0;
  // zora counts skipped tests, and prints them without a title.
  const isZora = lines.some((line) => /^# skip {2}\d+$/.test(line));
  for (const [line, text] of lines.entries()) {
    if (/^# \S/.test(text)) {
      title = text.slice(2);
      begun = line;
    }
    const point = points.get(line);
    if (point === undefined) continue;
    const { failed, skipped, name } = point;
    const head = isZora && skipped ? name : (title ?? name);
    const before = found.get(head);
    const place = failed ? placesBelow(lines, [{ index: line, test: head }])[0]?.place : undefined;
    found.set(head, {
      name: head,
      failed: before?.failed === true || (failed && !skipped),
      skipped: before?.skipped !== false && skipped,
      place: before?.place ?? place,
    });
  }
  if (title !== null && isCutShort(stream)) {
    const [at] = placesBelow(lines, [{ index: begun, test: title }]);
    found.set(title, { name: title, failed: true, skipped: false, place: at?.place });
  }
  return [...found.values()];
}
