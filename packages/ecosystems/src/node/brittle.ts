import type { Reading, Runner } from '../protocol.ts';
import { counts, placesBelow, startedAs } from '../reading.ts';
import { linesOf, streamsOf } from '../reports/tap-points.ts';

/** Reads TAP with each test's indented assertions above it; `# tests = 4/5 pass` counts skipped tests as passed. */
export const brittle: Runner = { name: 'brittle', read, starts: startedAs('brittle(?:-bare|-node)?') };

const TEST = /^(ok|not ok) \d+ - (.+?)(?: # time = [\d.]+m?s)?( # (?:SKIP|TODO).*)?$/;

function read(all: readonly string[], whole: boolean): Reading | null {
  if (all.some((line) => /^Error: no files found when resolving /.test(line)))
    return { tests: null, failing: [], none: true };
  const streams = streamsOf(all, /^# tests = \d+\/\d+ pass$/);
  if (streams.length === 0) return null;
  const lines = streams.flatMap((stream) => stream.lines);
  const tests = lines.flatMap((line, index) => {
    const [, result, name = '', skip] = TEST.exec(line) ?? [];
    return result === undefined
      ? []
      : [{ name, index, skipped: skip !== undefined, failed: result !== 'ok' }];
  });
  const failed = tests.filter((one) => one.failed && !one.skipped);
  const passed = tests.filter((one) => !one.failed && !one.skipped);
  const failing = failed.map(({ name }) => name);
  // A test's name also stands above its assertions.
  const heads = failing.map((test) => ({ index: lines.indexOf(`# ${test}`), test }));
  return {
    tests: whole ? counts(passed.length, failed.length, tests.length - failed.length - passed.length) : null,
    failing,
    passing: passed.map(({ name }) => name),
    places: heads.flatMap((head) => (head.index < 0 ? [] : placesBelow(lines, [head]))),
    at: linesOf(streams),
  };
}
