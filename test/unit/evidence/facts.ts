import type { Change, ChangeSet, Hunk } from '../../../src/domain/change-set.ts';
import type { FileFact } from '../../../src/domain/claim.ts';

const SNAPSHOT = { tree: 'before', head: 'c1', branch: 'main' };

/** A change of one hunk, lines 10 to 42, unless told otherwise. */
export function change(path: string, rest: Partial<Change> = {}): Change {
  const hunk: Hunk = { oldStart: 10, oldLines: 0, newStart: 10, newLines: 33 };
  return {
    path,
    oldPath: null,
    kind: 'modified',
    oldMode: '100644',
    newMode: '100644',
    binary: false,
    linesAdded: 33,
    linesRemoved: 0,
    hunks: [hunk],
    ...rest,
  };
}

export function changeSet(changes: readonly Change[], rest: Partial<ChangeSet> = {}): ChangeSet {
  return {
    before: SNAPSHOT,
    after: { ...SNAPSHOT, tree: changes.length === 0 ? 'before' : 'after' },
    changes: [...changes],
    commits: [],
    hunksOmitted: false,
    ...rest,
  };
}

export function file(path: string, lines: number | null = 100): FileFact {
  return { path, exists: true, ignored: false, lines };
}

/** Returns a file that is on the disk and in no snapshot, as git ignores it. */
export function ignored(path: string): FileFact {
  return { ...missing(path), ignored: true };
}

export function missing(path: string): FileFact {
  return { path, exists: false, ignored: false, lines: null };
}
