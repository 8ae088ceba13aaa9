import type { Change } from '../domain/change-set.ts';
import { roleOf } from '../lib/code/file-role.ts';

/** What a change is made of, by paths. */
export type SplitChanges = {
  /** What is taken back to see whether its tests notice. */
  readonly production: readonly string[];
  /** Tests, helpers and settings: they may have come with the work to show it. */
  readonly witnesses: readonly string[];
  /** Of those the tests and their helpers that were there before, by the paths of then. */
  readonly testsOfBefore: readonly string[];
};

const DOCUMENT =
  /\.(?:md|mdx|rst|adoc|txt)$|(?:^|\/)(?:docs?|man)\/|(?:^|\/)(?:LICEN[CS]E|CHANGELOG|NOTICE)\b/i;

/** Parts a change into production code, and what shows that it works. Documents are neither. */
export function splitChanges(changes: readonly Change[]): SplitChanges {
  const production: string[] = [];
  const witnesses: string[] = [];
  const testsOfBefore: string[] = [];
  for (const change of changes) {
    const from = change.oldPath ?? change.path;
    const role = roleOf(change.path);
    if (role === 'source' || (role === 'other' && !DOCUMENT.test(change.path))) {
      production.push(...new Set([from, change.path]));
      continue;
    }
    if (role === 'other' || role === 'policy') continue;
    witnesses.push(change.path);
    const isTest = roleOf(from) === 'test' || roleOf(from) === 'test_support';
    if (isTest && change.kind !== 'added') testsOfBefore.push(from);
  }
  return { production, witnesses, testsOfBefore };
}
