import {
  type FileRole,
  isDocument,
  isLock,
  isTestData,
  languageOf,
  roleOf,
  tokenize,
} from 'ralph-ecosystems';
import type { Change } from '../../domain/change-set.ts';

/** A change by its parts. Renames have both paths. */
export type SplitChanges = {
  /** Paths that are taken back to see whether the tests fail. */
  readonly production: readonly string[];
  readonly locks: readonly string[];
  /** Tests with their helpers and data, and settings, as they may have come with the work to prove it. */
  readonly witnesses: readonly string[];
  /** Tests and their helpers, which `witnesses` also has. */
  readonly tests: readonly string[];
  /** `snapshots` are expected outputs of tests, `data` is their other input. */
  readonly snapshots: readonly string[];
  readonly data: readonly string[];
  /** Settings of tools, files that build and run them, and limits. */
  readonly settings: readonly string[];
  /** Some files that tests consist of or read existed before. */
  readonly isDemandChanged: boolean;
};

type Part = 'production' | 'tests' | 'snapshots' | 'data' | 'settings';

/**
 * Returns the parts of a change: production code, and the files that prove it. Documents are neither.
 * @param steering Files that control the gates, whatever they look like.
 */
export function splitChanges(changes: readonly Change[], steering: readonly string[] = []): SplitChanges {
  const parts: Record<Part, string[]> = { production: [], tests: [], snapshots: [], data: [], settings: [] };
  const witnesses: string[] = [];
  let isDemandChanged = false;
  for (const { path, oldPath, kind } of changes) {
    const from = oldPath ?? path;
    const part = partOf(from, path, steering);
    if (part === null) continue;
    if (part !== 'generated') parts[part].push(...new Set([from, path]));
    if (part !== 'production') witnesses.push(path);
    if (part === 'tests' || part === 'snapshots' || part === 'data') isDemandChanged ||= kind !== 'added';
  }
  return { ...parts, locks: witnesses.filter(isLock), witnesses, isDemandChanged };
}

/** `generated` comes with other parts, and isn't one itself. */
const PARTS: Readonly<Record<FileRole, Part | 'generated' | null>> = {
  test: 'tests',
  test_support: 'tests',
  golden: 'snapshots',
  source: 'production',
  config: 'settings',
  pipeline: 'settings',
  generated: 'generated',
  policy: null,
  other: null,
};

function partOf(from: string, path: string, steering: readonly string[]): Part | 'generated' | null {
  if (steering.includes(path) || steering.includes(from)) return 'settings';
  // A test that moved to a place where nothing runs it counts as one.
  const part = PARTS[roleOf(from)] === 'tests' ? 'tests' : PARTS[roleOf(path)];
  if (part !== null || roleOf(path) === 'policy') return part;
  if (isTestData(path)) return 'data';
  return isDocument(path) ? null : 'production';
}

/** Words that formatters and fixers of linters replace by each other. */
const INTERCHANGEABLE: ReadonlySet<string> = new Set(['let', 'const', 'var']);

/** Returns whether two texts differ only as by a formatter, with the same words and numbers. `null` is a missing file. */
export function isReformatted(path: string, before: string | null, after: string | null): boolean {
  if (before === null || after === null || before === after) return false;
  return wordsOf(path, before) === wordsOf(path, after);
}

function wordsOf(path: string, text: string): string {
  return tokenize(text, languageOf(path))
    .filter(({ kind, text: word }) => (kind === 'word' || kind === 'number') && !INTERCHANGEABLE.has(word))
    .map(({ text: word }) => word)
    .toSorted()
    .join(' ');
}

const TESTS = /^#\[cfg\(test\)\]\s*\n(?:#\[[^\n]*\]\s*\n)*\s*(?:pub )?mod /m;

/**
 * Returns a Rust file with the code of one version and the tests of another; `null` if the latter has none.
 * @param code Text with the code.
 * @param tests Text with the tests.
 */
export function withTestsOf(code: string, tests: string): string | null {
  const [codeAt, testsAt] = [TESTS.exec(code)?.index, TESTS.exec(tests)?.index];
  if (testsAt === undefined) return null;
  return `${code.slice(0, codeAt ?? code.length).trimEnd()}\n\n${tests.slice(testsAt)}`;
}

export function inlineTests(text: string): string {
  const at = TESTS.exec(text)?.index;
  return at === undefined ? '' : text.slice(at);
}
