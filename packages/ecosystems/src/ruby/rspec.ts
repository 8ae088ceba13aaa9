import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, namesIn, numbersBefore, startedAs, sumOf } from '../reading.ts';
import { rspecCanary } from './canary.ts';

/**
 * Reads `5 examples, 1 failure, 1 pending` and `rspec ./a_spec.rb:3 # suite name`; the documentation format names all
 * examples. `Run options: include {:focus=>true}` means that a focus left examples out.
 */
export const rspec: Runner = {
  canary: rspecCanary,
  name: 'rspec',
  isDistinct: true,
  read,
  starts: startedAs('rspec'),
};

const SUM = /^(\d+ examples?, \d+ failures?(?:, \d+ .*)?)$/;

function read(lines: readonly string[]): Reading | null {
  const at = linesWith(lines, SUM);
  if (at.length === 0) return null;
  const tests = sumOf(at.map((index) => summary(lines[index] ?? '')));
  const notLoaded = namesIn(lines, /^An error occurred while loading (.+?)\.?$/).map(relative);
  const exact = placesOf(lines);
  const failed = lines.flatMap((line) => {
    const [, place = '', test] = /^rspec (\S+) # (\S.*)$/.exec(line) ?? [];
    return test === undefined ? [] : [{ test, place: exact.get(test) ?? relative(place) }];
  });
  return {
    tests,
    failing: [...new Set(failed.map(({ test }) => test))],
    passing: notLoaded.length > 0 ? [] : documented(lines),
    places: failed,
    ...(notLoaded.length === 0 ? {} : { notLoaded }),
    ...(lines.some((line) => /^Run options: include \{.*\bfocus/.test(line)) ? { focused: true } : {}),
    at,
  };
}

/** An error outside examples, such as an unloadable file, isn't counted as an example. */
function summary(line: string) {
  const { example = 0, failure = 0, pending = 0, examples = 0, failures = 0 } = numbersBefore(line);
  const failed = failure + failures;
  return counts(example + examples - failed - pending, failed, pending);
}

function relative(path: string): string {
  return path.replace(/^\.\//, '');
}

/** Returns the first line in specs below `  1) sums breaks`: `     # ./spec/a_spec.rb:6:in …`. */
function placesOf(lines: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let test: string | null = null;
  for (const line of lines.slice(Math.max(0, lines.indexOf('Failures:')))) {
    test = /^ +\d+\) (.+)$/.exec(line)?.[1] ?? test;
    const place = /^ +# \.\/(\S*?_spec\.rb:\d+)/.exec(line)?.[1];
    if (test !== null && place !== undefined && !found.has(test)) found.set(test, place);
  }
  return found;
}

/** A line without deeper ones below it is an example; the lines above are its groups. */
function documented(lines: readonly string[]): string[] {
  const end = lines.findIndex((line) => /^(?:Pending:|Failures:|Finished in )/.test(line));
  const named = lines.slice(0, Math.max(0, end)).filter((line) => /\S/.test(line));
  const groups: string[] = [];
  return named.flatMap((line, index) => {
    const depth = depthOf(line);
    groups.splice(depth, groups.length, line.trim());
    const isExample = depth > 0 && depthOf(named[index + 1] ?? '') <= depth;
    const passed = isExample && !/ \((?:FAILED - \d+|PENDING: .*)\)$/.test(line);
    return passed ? [groups.join(' ')] : [];
  });
}

function depthOf(line: string): number {
  return (/^ */.exec(line)?.[0].length ?? 0) / 2;
}
