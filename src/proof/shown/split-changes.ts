import type { Change } from '../../domain/change-set.ts';
import { type FileRole, isDocument, isLock, isTestData, roleOf } from '../../ecosystems/index.ts';

/** What a change is made of, by paths. */
export type SplitChanges = {
  /** What is taken back to see whether its tests notice. */
  readonly production: readonly string[];
  /** What is installed for it, by lock files. */
  readonly locks: readonly string[];
  /** Tests with their helpers and data, and settings: they may have come with the work to show it. */
  readonly witnesses: readonly string[];
  /** Of those the tests and their helpers, by the paths of before and of now. */
  readonly tests: readonly string[];
  /** Some of the tests and helpers were there before. */
  readonly isDemandChanged: boolean;
};

/** Parts a change into production code, and what shows that it works. Documents are neither. */
export function splitChanges(changes: readonly Change[]): SplitChanges {
  const production: string[] = [];
  const locks: string[] = [];
  const witnesses: string[] = [];
  const tests: string[] = [];
  let isDemandChanged = false;
  for (const { path, oldPath, kind } of changes) {
    const from = oldPath ?? path;
    // A test that was moved to where nothing runs it was one.
    const role = isTest(roleOf(from)) ? roleOf(from) : roleOf(path);
    if (isLock(path)) locks.push(path);
    const isData = isTestData(path);
    if (role === 'source' || (role === 'other' && !isDocument(path) && !isData)) {
      production.push(...new Set([from, path]));
      continue;
    }
    if ((role === 'other' && !isData) || role === 'policy') continue;
    witnesses.push(path);
    if (!isTest(role)) continue;
    tests.push(...new Set([from, path]));
    isDemandChanged ||= kind !== 'added';
  }
  return { production, locks, witnesses, tests, isDemandChanged };
}

function isTest(role: FileRole): boolean {
  return role === 'test' || role === 'test_support';
}
