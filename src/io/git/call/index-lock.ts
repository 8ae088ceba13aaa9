import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, ownStartTime } from '../../programs/table/process-identity.ts';
import { copyIndex, type IndexGit, indexGit } from './git.ts';
import { inOwnFolder, type WorkTree } from './work-tree.ts';

/** The lock that git takes for each change of the user's index. */
export function indexLockOf({ gitDir }: WorkTree): string {
  return join(gitDir, 'index.lock');
}

/** Takes the user's index; false: git is at work there. What a killed ralph left locked by `changeUserIndex` is unlocked. */
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
      // The disk is full, and a lock without a name would stay.
      unlockIndex(tree);
      throw error;
    } finally {
      closeSync(file);
    }
    return true;
  };
  return take() || (unlockDead(tree) && take());
}

/** Gives the user's index back. */
export function unlockIndex(tree: WorkTree): void {
  rmSync(indexLockOf(tree), { force: true });
}

/** Makes a changed copy of the user's index, which is locked: a git that is killed at it leaves the old one. */
export async function readyIndex(
  tree: WorkTree,
  copy: string,
  change: (git: IndexGit) => Promise<void>,
): Promise<void> {
  const index = usersIndex(tree);
  if (existsSync(index)) copyIndex(index, copy);
  await change(indexGit({ kind: 'passing-index', tree, index: copy }));
}

/** Puts such a copy in its place; it lies on the same file system. */
export function replaceIndex(tree: WorkTree, copy: string): void {
  renameSync(copy, usersIndex(tree));
}

const usersIndex = ({ gitDir }: WorkTree) => join(gitDir, 'index');

/** @returns false where git is at work on the user's index: nothing was changed. */
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

/** Whether git is at work on the user's index. */
export function isIndexLocked(tree: WorkTree): boolean {
  return !unlockDead(tree);
}

/** Removes the lock of a ralph that was killed while it had it; false: the index is locked by another. */
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
