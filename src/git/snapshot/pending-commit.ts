import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeUserIndex } from '../call/index-lock.ts';
import { privateFolder, type WorkTree } from '../call/work-tree.ts';
import { changesFromHead } from '../diff/diff.ts';
import type { IndexEntry } from '../objects/index-file.ts';
import { revision } from '../objects/questions.ts';
import type { RawChange } from '../objects/raw-change.ts';
import { readEntries, setChanged } from '../read/index-content.ts';

/** HEAD before a commit, kept until the user's index was updated; `none` before the first commit. */
const fileOf = (tree: WorkTree) => join(privateFolder(tree), 'commit-pending');
const NONE = 'none';

export function notePending(tree: WorkTree, head: string | null): void {
  writeFileSync(fileOf(tree), head ?? NONE);
}

export function clearPending(tree: WorkTree): void {
  rmSync(fileOf(tree), { force: true });
}

/**
 * Updates the user's index after a killed ralph made a commit; otherwise committed files would look like staged
 * changes. Only entries unchanged since then are updated; nothing when HEAD moved on or git is using the index.
 */
export async function finishPending(tree: WorkTree): Promise<void> {
  let before: string;
  try {
    before = readFileSync(fileOf(tree), 'utf8').trim();
  } catch {
    return;
  }
  const now = await revision(tree, 'HEAD');
  const parent = await revision(tree, 'HEAD^');
  if (now !== null && now !== before && (parent ?? NONE) === before) {
    const made = await changesFromHead(tree, before === NONE ? null : before, now);
    const follows = await changeUserIndex(tree, async (git) => {
      const entries = new Map((await readEntries(git)).map((entry) => [entry.path, entry]));
      const behind = made.filter((change) => isAsBefore(change, entries.get(change.path)));
      await setChanged(git, behind);
    });
    if (!follows) return;
  }
  clearPending(tree);
}

function isAsBefore(change: RawChange, entry: IndexEntry | undefined): boolean {
  if (change.status === 'A') return entry === undefined;
  return entry?.oid === change.oldOid && entry.mode === change.oldMode;
}
