import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { linkNew } from 'ralph-kit/files/atomic-file';
import { isAlive, ownStartTime } from 'ralph-kit/programs/table/process-identity';
import { copyIndex, type IndexGit, indexGit } from './git.ts';
import { inOwnFolder, ownFolderIn, privateFolder, type WorkTree } from './work-tree.ts';

/** Git takes this lock for each change of the user's index. */
export function indexLockOf({ gitDir }: WorkTree): string {
  return join(gitDir, 'index.lock');
}

/**
 * Locks the user's index; returns false when git is using it. A lock left by a killed ralph is removed. The lock comes
 * with its holder in one step: one without would look like git's and stay.
 */
export function lockIndex(tree: WorkTree, holder: string): boolean {
  const folder = ownFolderIn(privateFolder(tree), 'snapshot');
  const ready = join(folder, 'lock');
  const take = () => linkNew(ready, indexLockOf(tree));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(ready, holder, { mode: 0o644 });
    return take() || (unlockDead(tree) && take());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function unlockIndex(tree: WorkTree): void {
  rmSync(indexLockOf(tree), { force: true });
}

/** Makes a changed copy of the locked index, so that a killed git leaves the old index intact. */
export async function readyIndex(
  tree: WorkTree,
  copy: string,
  change: (git: IndexGit) => Promise<void>,
): Promise<void> {
  const index = usersIndex(tree);
  if (existsSync(index)) copyIndex(index, copy);
  await change(indexGit({ kind: 'passing-index', tree, index: copy }));
}

/** Puts the changed copy in place; it is on the same file system. */
export function replaceIndex(tree: WorkTree, copy: string): void {
  renameSync(copy, usersIndex(tree));
}

const usersIndex = ({ gitDir }: WorkTree) => join(gitDir, 'index');

/** Changes the user's index; returns false, without a change, when git is using it. */
export async function changeUserIndex(
  tree: WorkTree,
  change: (git: IndexGit) => Promise<void>,
): Promise<boolean> {
  if (!lockIndex(tree, `ralph index ${process.pid} ${ownStartTime() ?? ''}`)) return false;
  try {
    await inOwnFolder(tree, async (folder) => {
      await readyIndex(tree, join(folder, 'index'), change);
      replaceIndex(tree, join(folder, 'index'));
    });
  } finally {
    unlockIndex(tree);
  }
  return true;
}

export function isIndexLocked(tree: WorkTree): boolean {
  return !unlockDead(tree);
}

/** Removes the lock of a killed ralph; returns false when another process holds the index. */
function unlockDead(tree: WorkTree): boolean {
  let text: string;
  try {
    text = readFileSync(indexLockOf(tree), 'utf8');
  } catch {
    return true;
  }
  const [, pid, started = ''] = /^ralph index (\d+) (\S*)$/.exec(text) ?? [];
  if (pid === undefined || isAlive(Number(pid), started || null)) return false;
  unlockIndex(tree);
  return true;
}
