import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, ownPlace, startedAs } from '../reading.ts';
import { byName } from './canary/rank.ts';
import { javascriptText } from './canary/text.ts';

/** Reads ` 3 pass`, ` 1 skip`, ` 1 fail`, and ` 1 error` for each unloadable file, which also counts as failed. */
export const bun: Runner = {
  canary: { rank: byName, text: javascriptText },
  name: 'bun',
  read,
  starts: startedAs(String.raw`bun(?:\s+--\S+)*\s+test`),
};

const COUNT = /^ (\d+) (pass|skip|todo|fail|errors?)$/;
const RESULT = /^\((pass|fail|skip|todo)\) (.+?)(?: \[[\d.]+m?s\])?$/;
const OUTSIDE = /^# Unhandled error between tests$/;

function read(lines: readonly string[]): Reading | null {
  if (lines.includes('No tests found!')) return { tests: null, failing: [], none: true };
  if (!lines.some((line) => /^Ran \d+ tests? across \d+ files?\./.test(line))) return null;
  const sum = (word: string) =>
    lines.reduce((all, line) => {
      const found = COUNT.exec(line);
      return found?.[2]?.replace(/^errors$/, 'error') === word ? all + Number(found[1]) : all;
    }, 0);
  const results = lines.flatMap((line, index) => {
    const [, result, name = ''] = RESULT.exec(line) ?? [];
    return result === undefined ? [] : [{ result, name, index }];
  });
  const named = (wanted: string) => results.filter(({ result }) => result === wanted).map(({ name }) => name);
  // A failure stands above its test's name.
  const places = results.flatMap(({ result, name, index }, at) => {
    const above = lines.slice((results[at - 1]?.index ?? -1) + 1, index);
    const place = result === 'fail' ? above.flatMap((line) => ownPlace(line) ?? []).at(-1) : undefined;
    return place === undefined ? [] : [{ test: name, place }];
  });
  const outside = linesWith(lines, OUTSIDE);
  const notLoaded = outside.flatMap((index) => {
    const file = lines.slice(0, index).findLast((line) => /^\S+:$/.test(line));
    return file === undefined ? [] : [file.slice(0, -1)];
  });
  return {
    tests: counts(sum('pass'), sum('fail') - sum('error'), sum('skip') + sum('todo')),
    failing: named('fail'),
    passing: named('pass'),
    places,
    ...(outside.length === 0 ? {} : { notLoaded: [...new Set(notLoaded)] }),
    at: linesWith(lines, COUNT),
  };
}
