import { placesIn } from 'ralph-kit/error-line';
import type { Reader, Reading, Runner, TestCounts } from './protocol.ts';

export function counts(passed: number, failed: number, skipped: number): TestCounts {
  return { run: passed + failed, passed, failed, skipped };
}

/** Returns the sum of several summaries' counts; `null` without summaries. */
export function sumOf(all: readonly TestCounts[]): TestCounts | null {
  if (all.length === 0) return null;
  const sum = (of: 'passed' | 'failed' | 'skipped') => all.reduce((total, one) => total + one[of], 0);
  return counts(sum('passed'), sum('failed'), sum('skipped'));
}

/**
 * Returns the sum of all summary lines and their indexes; `null` without any.
 * @param numbers Returns one summary's counts from the pattern's groups.
 */
export function summedIn(
  lines: readonly string[],
  pattern: RegExp,
  numbers: (...found: readonly number[]) => TestCounts,
): { readonly tests: TestCounts; readonly at: readonly number[] } | null {
  const at = linesWith(lines, pattern);
  const tests = sumOf(
    at.map((index) => numbers(...(pattern.exec(lines[index] ?? '') ?? []).slice(1).map(Number))),
  );
  return tests === null ? null : { tests, at };
}

/** What is read of a runner that ends with one line of numbers. */
export type Closing = {
  /**
   * Has groups of `run` (or `all`, with the skipped ones), `passed`, `failed`, `errors` and `skipped` tests, as far as
   * they are printed.
   */
  readonly sum: RegExp;
  /** The first group is a failing test's name. */
  readonly failing: RegExp;
  /** The first group is a file that couldn't be loaded. */
  readonly notLoaded?: RegExp;
};

/** Returns the reader of a runner that ends with one line of numbers. */
export function closingReader({ sum, failing, notLoaded }: Closing): Reader {
  return (lines) => {
    const at = linesWith(lines, sum);
    if (at.length === 0) return null;
    const files = notLoaded === undefined ? [] : namesIn(lines, notLoaded);
    return {
      tests: sumOf(at.map((index) => countsIn(sum.exec(lines[index] ?? '')?.groups ?? {}))),
      ...failuresIn(lines, (line) => failing.exec(line)?.[1] ?? null),
      ...(files.length === 0 ? {} : { notLoaded: files }),
      at,
    };
  };
}

function countsIn(groups: Readonly<Record<string, string | undefined>>): TestCounts {
  const number = (name: string) => Number(groups[name] ?? 0);
  const failed = number('failed') + number('errors');
  const skipped = number('skipped');
  const run = groups.all === undefined ? number('run') : number('all') - skipped;
  return counts(groups.passed === undefined ? run - failed : number('passed'), failed, skipped);
}

/** Lets runners read an output in turn, without lines that earlier ones used, so that no line counts twice. */
export function readInTurn(
  runners: readonly Pick<Runner, 'name' | 'read'>[],
  lines: readonly string[],
  whole: boolean,
): (Reading & { readonly name: string })[] {
  const left = [...lines];
  return runners.flatMap(({ name, read }) => {
    const reading = read(left, whole);
    for (const index of reading?.at ?? []) left[index] = '';
    return reading === null ? [] : [{ ...reading, name }];
  });
}

/** Whether no test ran and none was skipped, by the runner's words or counts. */
export function ranNone({ none, tests }: Pick<Reading, 'none' | 'tests'>): boolean {
  return none === true || (tests?.run === 0 && tests.skipped === 0);
}

/** Returns the numbers in a summary by the word after each: `1 failed | 3 passed` gives `{failed: 1, passed: 3}`. */
export function numbersBefore(summary: string): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const [, number, word] of summary.matchAll(/(\d+) ([a-z]+)/g)) {
    if (word !== undefined) found[word] = (found[word] ?? 0) + Number(number);
  }
  return found;
}

/** Returns the sum of each word's numbers in matching lines. @param pattern Has groups `word` and `number`. */
export function numbersIn(lines: readonly string[], pattern: RegExp): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const line of lines) {
    const { word, number } = pattern.exec(line)?.groups ?? {};
    if (word !== undefined) found[word] = (found[word] ?? 0) + Number(number);
  }
  return found;
}

/** Returns the first group of each matching line, without repetitions. */
export function namesIn(lines: readonly string[], pattern: RegExp): string[] {
  const names = lines.flatMap((line) => pattern.exec(line)?.[1]?.trim() ?? []);
  return [...new Set(names)];
}

export function linesWith(lines: readonly string[], pattern: RegExp): number[] {
  return lines.flatMap((line, index) => (pattern.test(line) ? index : []));
}

/**
 * Matches a program's name as a word, alone or in a path, whatever starts it.
 * @param program Pattern, including required arguments.
 */
export function startedAs(program: string): RegExp {
  return new RegExp(String.raw`(?:^|[\s;&|('"]|bin/|\./)(?:${program})(?:\.[cm]?js)?(?=$|[\s;&|)'"])`, 'm');
}

/** Paths of code outside the project: a failure's place isn't looked for there. */
const FOREIGN = /node_modules|site-packages|dist-packages|^\/(?:usr|lib|opt|nix)\/|^src\/alcotest-engine\//;
/** Number of lines below a failing test's name that are searched for its place. */
const PLACE_WITHIN = 40;

/**
 * Returns the first line of the project's own code below each failing test's name.
 * @param heads Index of the line that names each test.
 */
export function placesBelow(
  lines: readonly string[],
  heads: readonly { readonly index: number; readonly test: string }[],
): NonNullable<Reading['places']> {
  const sorted = heads.map(({ index }) => index).toSorted((one, other) => one - other);
  const nextOf = new Map(sorted.map((index, at) => [index, sorted[at + 1] ?? lines.length]));
  return heads.flatMap(({ index, test }) => {
    const next = nextOf.get(index) ?? lines.length;
    const below = lines.slice(index + 1, Math.min(next, index + 1 + PLACE_WITHIN));
    const place = below.flatMap((line) => ownPlace(line) ?? [])[0];
    return place === undefined ? [] : [{ test, place }];
  });
}

/** Returns a line's first `file:line` in the project; `null`: none. */
export function ownPlace(line: string): string | null {
  const found = placesIn(line.replaceAll('file://', '').replace(/node:\S+/g, '')).find(
    ({ path, line: at }) => at !== null && !FOREIGN.test(path),
  );
  return found === undefined ? null : `${found.path.replace(/^\.\//, '')}:${found.line}`;
}

export function failuresIn(
  lines: readonly string[],
  nameOf: (line: string, index: number) => string | null,
): Required<Pick<Reading, 'failing' | 'places'>> {
  const heads = lines.flatMap((line, index) => {
    const test = nameOf(line, index)?.trim();
    return test === undefined || test === '' ? [] : [{ index, test }];
  });
  const failing = [...new Set(heads.map(({ test }) => test))];
  const places = placesBelow(lines, heads);
  const first = new Map(places.toReversed().map((one) => [one.test, one]));
  return { failing, places: failing.flatMap((name) => first.get(name) ?? []) };
}
