import type { Reading, Runner } from '../protocol.ts';
import { counts, failuresIn, linesWith, placesBelow, startedAs } from '../reading.ts';
import { isFile, linesOf, names, passingIn, pointsIn, streamsOf } from '../reports/tap-points.ts';
import { byFolder } from './canary/rank.ts';
import { javascriptText } from './canary/text.ts';

/** Reads the summary of node:test's reporters (`# pass 3`, `ℹ pass 3`), and TAP or `✖ name (1.2ms)`. */
export const nodeTest: Runner = {
  canary: { rank: byFolder, text: javascriptText },
  name: 'node',
  read,
  starts: startedAs(String.raw`(?:node|tsx)\b[^;&|\n]* --test(?:-[\w-]+(?:=\S*)?)*`),
};

const SUMMARY = /^[#ℹ] (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

type Named = {
  readonly failing: readonly string[];
  readonly passing: readonly string[];
  readonly places: NonNullable<Reading['places']>;
};

function read(lines: readonly string[]): Reading | null {
  // TAP that counts suites is node's, as no other producer does that.
  const streams = streamsOf(lines, /^# suites \d+$/);
  if (streams.length === 0 && !lines.some((line) => /^ℹ suites \d+$/.test(line))) return null;
  const tap = streams.flatMap((stream) => stream.lines);
  const own = [
    ...lines.filter((line) => line.startsWith('ℹ ')),
    ...tap.filter((line) => line.startsWith('# ')),
  ];
  const sum = (word: string) =>
    own
      .filter((line) => SUMMARY.exec(line)?.[1] === word)
      .reduce((all, line) => all + Number(line.split(' ').at(-1)), 0);
  const named = both(specNames(lines), tapNames(tap));
  // A file counts as one test if none of its own tests ran.
  const [files, failing] = [named.failing.filter(isFile), named.failing.filter((name) => !isFile(name))];
  const passing = named.passing.filter((name) => !isFile(name));
  const passed = sum('pass') - (named.passing.length - passing.length);
  const failed = sum('fail') + sum('cancelled') - files.length;
  return {
    tests: counts(Math.max(0, passed), Math.max(0, failed), sum('skipped') + sum('todo')),
    failing,
    passing,
    places: named.places.filter(({ test }) => !isFile(test)),
    ...(files.length === 0 ? {} : { notLoaded: files }),
    at: [...linesWith(lines, /^ℹ \w+ [\d.]+$/), ...linesOf(streams)],
  };
}

function both(one: Named, other: Named): Named {
  return {
    failing: [...one.failing, ...other.failing],
    passing: [...one.passing, ...other.passing],
    places: [...one.places, ...other.places],
  };
}

function tapNames(lines: readonly string[]): Named {
  const points = pointsIn(lines);
  const failed = points.filter((one) => one.failed && !one.skipped);
  const heads = failed.map(({ name, line }) => ({ index: line, test: name }));
  return { failing: names(failed), passing: passingIn(points), places: placesBelow(lines, heads) };
}

/** The final list has each failing test once; earlier lines include suites. */
function specNames(lines: readonly string[]): Named {
  const at = lines.findLastIndex((line) => line.startsWith('✖ failing tests:'));
  const list = at < 0 ? [] : lines.slice(at + 1);
  const passing = lines.flatMap((line) => /^\s*✔ (.+?)(?: \([\d.]+ ?ms\))?$/.exec(line)?.[1] ?? []);
  return {
    ...failuresIn(list, (line) => /^✖ (.+?)(?: \([\d.]+ ?ms\))?$/.exec(line)?.[1] ?? null),
    passing,
  };
}
