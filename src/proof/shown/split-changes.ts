import type { Change } from '../../domain/change-set.ts';
import { type FileRole, isDocument, isLock, isTestData, roleOf } from '../../ecosystems/index.ts';

/** What a change is made of, by paths, those of before and of now. */
export type SplitChanges = {
  /** What is taken back to see whether its tests notice. */
  readonly production: readonly string[];
  /** What is installed for it, by lock files. */
  readonly locks: readonly string[];
  /** Tests with their helpers and data, and settings: they may have come with the work to show it. */
  readonly witnesses: readonly string[];
  /** Of those the tests with their helpers. */
  readonly tests: readonly string[];
  /** What tests read or expect: snapshots, and data. */
  readonly snapshots: readonly string[];
  readonly data: readonly string[];
  /** Settings of tools, what builds and runs them, and limits. */
  readonly settings: readonly string[];
  /** Some of what tests are or read was there before. */
  readonly isDemandChanged: boolean;
};

type Part = 'production' | 'tests' | 'snapshots' | 'data' | 'settings';

/**
 * Parts a change into production code, and what shows that it works. Documents are neither.
 *
 * @param steering Files that gates go by, whatever they look like.
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

/** `generated`: it came with the work, and is no part by itself. */
const PARTS: Readonly<Record<FileRole, Part | 'generated' | null>> = {
  ...{ test: 'tests', test_support: 'tests', golden: 'snapshots', source: 'production' },
  ...{ config: 'settings', pipeline: 'settings', generated: 'generated', policy: null, other: null },
};

function partOf(from: string, path: string, steering: readonly string[]): Part | 'generated' | null {
  if (steering.includes(path) || steering.includes(from)) return 'settings';
  // A test that was moved to where nothing runs it was one.
  const part = PARTS[roleOf(from)] === 'tests' ? 'tests' : PARTS[roleOf(path)];
  if (part !== null || roleOf(path) === 'policy') return part;
  if (isTestData(path)) return 'data';
  return isDocument(path) ? null : 'production';
}
