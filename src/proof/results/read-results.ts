import { MOST_NAMES, MOST_PASSING, type ResultFormat, type TestResults } from '../../domain/test-results.ts';
import {
  cobertura,
  istanbul,
  lcov,
  printedCoverage,
  type Reading,
  RUNNERS,
  sumOf,
} from '../../ecosystems/index.ts';
import { redact } from '../../lib/redact.ts';
import { onOneLine, shortened } from '../../lib/text.ts';

/** What a gate printed and wrote. */
export type GateOutput = {
  /** Without terminal escapes. */
  readonly text: string;
  /** The text is all of it; else the end. */
  readonly whole: boolean;
  /** The files that `parses` names, as far as they were written by this run of the gate. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
};

const COVERAGE: Readonly<Partial<Record<ResultFormat, (text: string) => number | null>>> = {
  lcov,
  cobertura,
  istanbul,
};

/**
 * What a gate reports of its tests; `null` where nothing of it can be read.
 *
 * @param parses `[gates] parses`: formats of the output or of files; of the output the format is recognised where none
 *   of them names it.
 */
export function readResults(
  parses: readonly string[],
  { text, whole, files }: GateOutput,
): TestResults | null {
  const named = parses.map((one) => {
    const at = one.indexOf(':');
    const path = at < 0 ? null : one.slice(at + 1);
    const format = (at < 0 ? one : one.slice(0, at)) as ResultFormat;
    const file = files.find((written) => written.path === path)?.text ?? '';
    return { format, text: path === null ? text : file, whole: path !== null || whole };
  });
  const reads = named.flatMap((one) => readAs(one.format, one.text, one.whole) ?? []);
  const namesTests = named.some(({ format }) => isRunner(format));
  const read = namesTests ? together(reads) : recognised(text, whole);
  const reported = named.flatMap((one) => COVERAGE[one.format]?.(one.text) ?? []);
  const namesCoverage = named.some(({ format }) => COVERAGE[format] !== undefined);
  const coverage = namesCoverage ? (reported[0] ?? null) : printedCoverage(text);
  if (read === null && coverage === null) return null;
  const failing = (read?.failing ?? []).map(shownName).filter((name) => name !== '');
  return {
    format: read?.format ?? null,
    tests: read?.tests ?? null,
    failing: [...new Set(failing)].slice(0, MOST_NAMES),
    passing: passingOf(read),
    coverage,
  };
}

/** The names of all tests that passed; `null` where they aren't all there. */
function passingOf(read: Reading | null): string[] | null {
  const names = (read?.passing ?? []).map(shownName);
  const isWhole = names.length === (read?.tests?.passed ?? 0) && names.every((name) => name !== '');
  return names.length > 0 && isWhole && names.length <= MOST_PASSING ? names : null;
}

function isRunner(format: string): boolean {
  return RUNNERS.some(({ name }) => name === format);
}

type ReadAs = Reading & { readonly format: ResultFormat };

function readAs(format: ResultFormat, text: string, whole: boolean): ReadAs | null {
  const read = RUNNERS.find(({ name }) => name === format)?.read(text, whole) ?? null;
  return read === null ? null : { ...read, format };
}

function recognised(text: string, whole: boolean): ReadAs | null {
  for (const { name } of RUNNERS) {
    const found = readAs(name as ResultFormat, text, whole);
    if (found !== null) return found;
  }
  return null;
}

/** @returns Of several formats the first. */
function together(reads: readonly ReadAs[]): ReadAs | null {
  const [first] = reads;
  if (first === undefined) return null;
  const counted = reads.flatMap(({ tests }) => tests ?? []);
  return {
    format: first.format,
    tests: sumOf(counted),
    failing: reads.flatMap(({ failing }) => failing),
    passing: reads.flatMap(({ passing }) => passing ?? []),
  };
}

/** Characters of a test's name that are kept. */
const LONGEST_NAME = 200;

/** Names may hold what a test was given. */
function shownName(name: string): string {
  return shortened(redact(onOneLine(name), []), LONGEST_NAME).trim();
}
