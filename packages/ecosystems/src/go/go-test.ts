import { isObject } from 'ralph-kit/is-object';
import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, startedAs } from '../reading.ts';
import { goCanary } from './canary.ts';

type Ended = { readonly name: string; readonly result: string };

/** Reads `go test`, `go test -v` and `-json`. Only leaves count, as a test with subtests just sums them up. */
export const goTest: Runner = {
  canary: goCanary,
  name: 'go',
  read,
  starts: startedAs(String.raw`go\s+test`),
};

/** Groups: `ok`, `FAIL` or `?`; the package; the rest of the line. */
const PACKAGE = /^(ok {2}|FAIL|\?? {3})\t(\S+)(?:\t(.*)|\s(\[.*\]))?$/;

function read(lines: readonly string[], whole: boolean): Reading | null {
  const json = lines.filter((line) => line.startsWith('{') && line.includes('"Action"'));
  return json.length > 0
    ? goJson(json, outputOfGoJson(lines.join('\n')).split('\n'), whole)
    : goText(lines, whole);
}

function goText(lines: readonly string[], whole: boolean): Reading | null {
  const ended: Ended[] = [];
  let from = 0;
  for (const line of lines) {
    const test = TEST.exec(line);
    if (test?.[1] !== undefined && test[2] !== undefined)
      ended.push({ name: test[2], result: test[1].toLowerCase() });
    const of = PACKAGE.exec(line)?.[2];
    if (of === undefined) continue;
    for (const [index, one] of ended.entries())
      if (index >= from) ended[index] = { ...one, name: `${of}.${one.name}` };
    from = ended.length;
  }
  const packages = packagesIn(lines);
  if (packages.length === 0) return null;
  // Without -v, passing tests aren't named.
  const isVerbose = lines.some((line) => line.startsWith('=== RUN '));
  return readOf(ended, packages, { counted: whole && isVerbose, at: linesWith(lines, PACKAGE) });
}

function goJson(json: readonly string[], lines: readonly string[], whole: boolean): Reading | null {
  const ended = json.flatMap((line): Ended[] => {
    const { Action, Package, Test } = parsed(line);
    if (typeof Action !== 'string' || typeof Package !== 'string' || typeof Test !== 'string') return [];
    return ['pass', 'fail', 'skip'].includes(Action) ? [{ name: `${Package}.${Test}`, result: Action }] : [];
  });
  return readOf(ended, packagesIn(lines), { counted: whole && ended.length > 0, at: [] });
}

type Package = {
  readonly name: string;
  readonly is: 'failed' | 'not loaded' | 'empty' | 'other';
  readonly places: ReadonlyMap<string, string>;
};

/** Returns each package with its state: no tests, not built, or ended before the tests began. */
function packagesIn(lines: readonly string[]): Package[] {
  let from = 0;
  return lines.flatMap((line, index) => {
    const [, result = '', name, behind, marked] = PACKAGE.exec(line) ?? [];
    if (name === undefined) return [];
    const above = lines.slice(from, index);
    from = index + 1;
    const note = behind ?? marked ?? '';
    const isUnbuilt =
      /\[(?:build|setup) failed\]$/.test(note) || above.some((one) => /^\S+\.init(?:\.\d+)?\(/.test(one));
    const isEmpty = /\[no test(?:s to run| files)\]$/.test(note);
    const is = result !== 'FAIL' ? (isEmpty ? 'empty' : 'other') : isUnbuilt ? 'not loaded' : 'failed';
    return [{ name, is, places: placesOf(above) }];
  });
}

const TEST = /^ *--- (PASS|FAIL|SKIP): (\S+)/;

/** Returns the place of each failure, by test. It stands above the test's line with `-v`, below it without. */
function placesOf(lines: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  const isVerbose = lines.some((line) => line.startsWith('=== RUN '));
  let test: string | null = null;
  for (const line of lines) {
    const begun = (isVerbose ? /^=== (?:RUN|CONT|NAME) +(\S+)/ : /^ *--- FAIL: (\S+)/).exec(line)?.[1];
    test = begun ?? test;
    const place = /^ +(\w[\w.-]*_test\.go:\d+): /.exec(line)?.[1];
    if (test !== null && place !== undefined && !found.has(test)) found.set(test, place);
  }
  return found;
}

function readOf(
  ended: readonly Ended[],
  packages: readonly Package[],
  { counted, at }: { readonly counted: boolean; readonly at: readonly number[] },
): Reading | null {
  const parents = new Set(ended.flatMap(({ name }) => ancestors(name)));
  const leaves = [...new Map(ended.map((one) => [one.name, one])).values()].filter(
    ({ name }) => !parents.has(name),
  );
  const failed = leaves.filter(({ result }) => result === 'fail').map(({ name }) => name);
  const number = (wanted: string) => leaves.filter(({ result }) => result === wanted).length;
  const passing = leaves.filter(({ result }) => result === 'pass').map(({ name }) => name);
  const notLoaded = packages.filter(({ is }) => is === 'not loaded').map(({ name }) => name);
  // A package failed for another reason than a test, such as set-up or clean-up.
  const others = packages.filter(
    ({ name, is }) => is === 'failed' && !failed.some((test) => test.startsWith(`${name}.`)),
  );
  const isEmpty = packages.length > 0 && packages.every(({ is }) => is === 'empty');
  const places = packages.flatMap(({ name, places: found }) =>
    [...found].flatMap(([test, place]) =>
      failed.includes(`${name}.${test}`) ? [{ test: `${name}.${test}`, place }] : [],
    ),
  );
  return {
    tests: isEmpty ? counts(0, 0, 0) : counted ? counts(number('pass'), failed.length, number('skip')) : null,
    failing: [...failed, ...others.map(({ name }) => name)],
    passing,
    places,
    ...(isEmpty ? { none: true } : {}),
    ...(notLoaded.length === 0 ? {} : { notLoaded }),
    at,
  };
}

/**
 * Returns the tests above a subtest: `p.TestX/a`, `p.TestX` for `p.TestX/a/b`. The search begins at the last dot, as
 * package paths contain slashes.
 */
function ancestors(name: string): string[] {
  const found: string[] = [];
  const test = name.search(/\.(?:Test|Fuzz|Example|Benchmark)/);
  for (let at = name.lastIndexOf('/'); at > Math.max(test, 0); at = name.lastIndexOf('/', at - 1))
    found.push(name.slice(0, at));
  return found;
}

function parsed(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

export function outputOfGoJson(text: string): string {
  if (!text.includes('"Action"')) return text;
  return text
    .split('\n')
    .map((line) => {
      const { Output } = line.startsWith('{') ? parsed(line) : {};
      return typeof Output === 'string' ? Output.trimEnd() : line;
    })
    .join('\n');
}
