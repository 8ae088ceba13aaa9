import {
  cobertura,
  istanbul,
  lcov,
  printedCoverage,
  type Reading,
  RUNNERS,
  ranNone,
  readInTurn,
  sumOf,
} from 'ralph-ecosystems';
import { redact } from 'ralph-kit/redact';
import { onOneLine, shortened } from 'ralph-kit/text';
import { MOST_NAMES, MOST_PASSING, type TestResults } from '../../domain/test-results.ts';

export type GateOutput = {
  /** Output without terminal escapes. */
  readonly text: string;
  /** Whether the text is the complete output; otherwise it is its end. */
  readonly whole: boolean;
  /** Files named by `parses` that this run of the gate wrote. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
};

const COVERAGE: Readonly<Record<string, (text: string) => number | null>> = { lcov, cobertura, istanbul };

type Read = Reading & { readonly name: string };

/**
 * Returns a gate's report on its tests, or `null` if none can be read.
 * @param parses `[gates] parses`: formats of the output or of files; without one for the output, all recognised runners count.
 * @param run The gate's command line, for the runners that it starts.
 */
export function readResults(
  parses: readonly string[],
  { text, whole, files }: GateOutput,
  run = '',
): TestResults | null {
  const named = parses.map((one) => {
    const at = one.indexOf(':');
    const path = at < 0 ? null : one.slice(at + 1);
    const format = at < 0 ? one : one.slice(0, at);
    const file = files.find((written) => written.path === path)?.text ?? '';
    return { format, text: path === null ? text : file, whole: path !== null || whole };
  });
  const namesTests = named.some(({ format }) => RUNNERS.some(({ name }) => name === format));
  const reads = namesTests
    ? named.flatMap((one) => readAs(one.format, one.text, one.whole))
    : readInTurn(RUNNERS, text.split('\n'), whole);
  const started = namesTests ? [] : startedIn(run, text);
  const reported = named.flatMap((one) => COVERAGE[one.format]?.(one.text) ?? []);
  const namesCoverage = named.some(({ format }) => COVERAGE[format] !== undefined);
  const coverage = namesCoverage ? (reported[0] ?? null) : printedCoverage(text);
  if (reads.length === 0 && started.length === 0 && coverage === null) return null;
  return { ...together(reads, started), coverage };
}

function readAs(format: string, text: string, whole: boolean): Read[] {
  const read = RUNNERS.find(({ name }) => name === format)?.read(text.split('\n'), whole) ?? null;
  return read === null ? [] : [{ ...read, name: format }];
}

/** Package managers print a script's command before they run it: `> jest`, `$ jest`. */
const ECHOED = /^(?:>|\$) (\S.*)$/gm;

function startedIn(run: string, text: string): string[] {
  const commands = [run, ...[...text.matchAll(ECHOED)].map(([, command]) => command)].join('\n');
  return RUNNERS.filter(({ starts }) => starts?.test(commands) === true).map(({ name }) => name);
}

function together(reads: readonly Read[], started: readonly string[]): Omit<TestResults, 'coverage'> {
  const counted = reads.filter(({ tests, none }) => tests !== null || none === true);
  const tests = sumOf(reads.flatMap(({ tests }) => tests ?? []));
  const uncounted = [...started, ...reads.map(({ name }) => name)].filter(
    (one) => !counted.some(({ name }) => name === one),
  );
  const failing = reads.flatMap((one) => one.failing).map(shownName);
  const loads = reads.flatMap(({ notLoaded }) => (notLoaded === undefined ? [] : [notLoaded]));
  const places = reads.flatMap((one) => one.places ?? []);
  return {
    runners: [...new Set(reads.map(({ name }) => name))],
    tests,
    failing: distinct(failing).slice(0, MOST_NAMES),
    passing: passingOf(reads, tests),
    none: counted.length > 0 && uncounted.length === 0 && counted.every(ranNone),
    notLoaded: loads.length === 0 ? null : distinct(loads.flat().map(shownName)).slice(0, MOST_NAMES),
    focused: reads.some(({ focused }) => focused === true),
    places: places
      .map(({ test, place }) => ({ test: shownName(test), place: shownName(place) }))
      .slice(0, MOST_NAMES),
    uncounted: distinct(uncounted),
  };
}

/** Returns the names of all passed tests; `null` if some are missing. */
function passingOf(reads: readonly Read[], tests: TestResults['tests']): string[] | null {
  const names = reads.flatMap(({ passing }) => passing ?? []).map(shownName);
  const isWhole = names.length === (tests?.passed ?? 0) && names.every((name) => name !== '');
  return names.length > 0 && isWhole && names.length <= MOST_PASSING ? names : null;
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => name !== '');
}

/** Characters of a test's name that are kept. */
const LONGEST_NAME = 200;

/** Names may contain a test's inputs, and so secrets. */
function shownName(name: string): string {
  return shortened(redact(onOneLine(name), []), LONGEST_NAME).trim();
}
