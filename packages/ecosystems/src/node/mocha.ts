import { isObject } from 'ralph-kit/is-object';
import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, numbersIn, ownPlace, placesBelow, startedAs } from '../reading.ts';
import { byFolder } from './canary/rank.ts';
import { javascriptText } from './canary/text.ts';
import { jsonIn, records } from './jest-report.ts';

/** Reads `  3 passing (5ms)`, `  1 failing` and the numbered list below it; or `--reporter json`. */
export const mocha: Runner = {
  canary: { rank: byFolder, text: javascriptText },
  name: 'mocha',
  isDistinct: true,
  read,
  starts: startedAs('_?mocha'),
};

const COUNT = /^ +(?<number>\d+) (?<word>passing|failing|pending)(?: \(.*\))?$/;

function read(lines: readonly string[]): Reading | null {
  const { passing, failing = 0, pending = 0 } = numbersIn(lines, COUNT);
  if (passing === undefined) return withoutSummary(lines) ?? mochaJson(lines);
  const at = lines.findIndex((line) => /^ +\d+ failing$/.test(line));
  const failures = at < 0 ? [] : numbered(lines, at + 1);
  return {
    tests: counts(passing, failing, pending),
    failing: failures.map(({ test }) => test),
    places: placesBelow(lines, failures),
    passing: lines.flatMap((line) => /^ +[✔✓] (.+?)(?: \(\d+ms\))?$/.exec(line)?.[1] ?? []),
    at: linesWith(lines, COUNT),
  };
}

/** mocha stops before any test if a file can't be loaded. */
function withoutSummary(lines: readonly string[]): Reading | null {
  if (lines.some((line) => /^Error: No test files found/.test(line)))
    return { tests: null, failing: [], none: true };
  const at = lines.findIndex((line) => /^ ?Exception during run: /.test(line));
  if (at < 0) return null;
  const place = lines.slice(at).flatMap((line) => ownPlace(line) ?? [])[0];
  return { tests: null, failing: [], notLoaded: place === undefined ? [] : [place.replace(/:\d+$/, '')] };
}

/** `  1) suite`, then the rest of the name over more lines, with a final colon. */
function numbered(
  lines: readonly string[],
  from: number,
): { readonly index: number; readonly test: string }[] {
  return lines.flatMap((line, index) => {
    const first = index < from ? undefined : /^ +\d+\) (.+)$/.exec(line)?.[1];
    if (first === undefined) return [];
    const parts = [first];
    for (const part of lines.slice(index + 1, index + 12)) {
      if (parts.at(-1)?.endsWith(':') || !/^ {4,}\S/.test(part)) break;
      parts.push(part.trim());
    }
    return [{ index, test: parts.join(' ').replace(/:$/, '') }];
  });
}

function mochaJson(lines: readonly string[]): Reading | null {
  const report = jsonIn(lines, '"stats"');
  if (report === null || !isObject(report.stats)) return null;
  const { passes, failures, pending } = report.stats;
  if (typeof passes !== 'number' || typeof failures !== 'number') return null;
  const failing = records(report.failures).flatMap(({ fullTitle }) =>
    typeof fullTitle === 'string' ? [fullTitle] : [],
  );
  return { tests: counts(passes, failures, typeof pending === 'number' ? pending : 0), failing };
}
