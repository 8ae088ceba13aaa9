import { placesIn } from '../lib/error-line.ts';
import type { Reading, Runner, TestCounts } from './runner.ts';

export function counts(passed: number, failed: number, skipped: number): TestCounts {
  return { run: passed + failed, passed, failed, skipped };
}

/** The sum of several summaries; `null` of none. */
export function sumOf(all: readonly TestCounts[]): TestCounts | null {
  if (all.length === 0) return null;
  const sum = (of: 'passed' | 'failed' | 'skipped') => all.reduce((total, one) => total + one[of], 0);
  return counts(sum('passed'), sum('failed'), sum('skipped'));
}

/**
 * The sum of all lines that are a summary, and where they are; `null` where there is none.
 *
 * @param numbers Counts of one, by the numbers in the groups of the pattern.
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

/** Has runners read one output after each other, each only the lines that those before it left: no line counts twice. */
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

/** Whether no test ran and none was skipped, by the runner's words or its counts. */
export function ranNone({ none, tests }: Pick<Reading, 'none' | 'tests'>): boolean {
  return none === true || (tests?.run === 0 && tests.skipped === 0);
}

/** The number before each of these words in a summary: `1 failed | 3 passed` → `{failed: 1, passed: 3}`. */
export function numbersBefore(summary: string): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const [, number, word] of summary.matchAll(/(\d+) ([a-z]+)/g)) {
    if (word !== undefined) found[word] = (found[word] ?? 0) + Number(number);
  }
  return found;
}

/** The sum of the numbers beside each word, of all lines that match. @param pattern With a group `word` and a group `number`. */
export function numbersIn(lines: readonly string[], pattern: RegExp): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const line of lines) {
    const { word, number } = pattern.exec(line)?.groups ?? {};
    if (word !== undefined) found[word] = (found[word] ?? 0) + Number(number);
  }
  return found;
}

/** The first group of each line that matches, each once. */
export function namesIn(lines: readonly string[], pattern: RegExp): string[] {
  const names = lines.flatMap((line) => pattern.exec(line)?.[1]?.trim() ?? []);
  return [...new Set(names)];
}

/** Indexes of the lines that match. */
export function linesWith(lines: readonly string[], pattern: RegExp): number[] {
  return lines.flatMap((line, index) => (pattern.test(line) ? index : []));
}

/**
 * A word that is a program's name, alone or in a folder of programs: what starts it is of many kinds.
 *
 * @param program A pattern, with the arguments that belong to it.
 */
export function startedAs(program: string): RegExp {
  return new RegExp(String.raw`(?:^|[\s;&|('"]|bin/|\./)(?:${program})(?:\.[cm]?js)?(?=$|[\s;&|)'"])`, 'm');
}

/** Code of others: a failure is not looked for there. */
const FOREIGN = /node_modules|site-packages|dist-packages|^\/(?:usr|lib|opt|nix)\//;
/** Lines below the name of a failing test in which its place is looked for. */
const PLACE_WITHIN = 40;

/**
 * Where failing tests failed: the first line of the project's own code that is named below each.
 *
 * @param heads The line that names each, as an index.
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

/** The first `file:line` of a line of output that is the project's own; `null`: it names none. */
export function ownPlace(line: string): string | null {
  const found = placesIn(line.replaceAll('file://', '').replace(/node:\S+/g, '')).find(
    ({ path, line: at }) => at !== null && !FOREIGN.test(path),
  );
  return found === undefined ? null : `${found.path.replace(/^\.\//, '')}:${found.line}`;
}

/** The names of failing tests with their places, of the lines that name them. */
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
