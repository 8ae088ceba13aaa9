import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, ownStartTime } from 'ralph-kit/programs/table/process-identity';
import { copyIndex, type IndexGit, indexGit } from './git.ts';
import { inOwnFolder, type WorkTree } from './work-tree.ts';

/** Git takes this lock for each change of the user's index. */
export function indexLockOf({ gitDir }: WorkTree): string {
  return join(gitDir, 'index.lock');
}

/** Locks the user's index; returns false when git is using it. A lock left by a killed ralph is removed. */
export function lockIndex(tree: WorkTree, holder: string): boolean {
  const take = () => {
    let file: number;
    try {
      file = openSync(indexLockOf(tree), 'wx', 0o644);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return false;
    }
    try {
      writeSync(file, holder);
    } catch (error) {
      // A write failed, such as on a full disk; a lock without a holder would stay, so it is removed.
      unlockIndex(tree);
      throw error;
    } finally {
      closeSync(file);
    }
    return true;
  };
  return take() || (unlockDead(tree) && take());
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
