import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processStatus } from '../../programs/table/process-identity.ts';
import { copyIndex, type IndexGit, indexGit } from './git.ts';
import { ownFolderIn, privateFolder, type WorkTree } from './work-tree.ts';

/** The lock that git takes for each change of the user's index. */
export function indexLockOf({ gitDir }: WorkTree): string {
  return join(gitDir, 'index.lock');
}

/** Takes the user's index; false: git is at work there. What a killed ralph left locked by `changeUserIndex` is unlocked. */
export function lockIndex(tree: WorkTree, holder: string): boolean {
  const take = () => {
    try {
      writeFileSync(indexLockOf(tree), holder, { flag: 'wx', mode: 0o644 });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return false;
    }
  };
  return take() || (isDead(tree) && take());
}

/** Gives the user's index back. */
export function unlockIndex(tree: WorkTree): void {
  rmSync(indexLockOf(tree), { force: true });
}

/** Puts a changed copy in the place of the user's index, which is locked: a git that is killed at it leaves the old one. */
export async function replaceIndex(
  tree: WorkTree,
  copy: string,
  change: (git: IndexGit) => Promise<void>,
): Promise<void> {
  const index = join(tree.gitDir, 'index');
  if (existsSync(index)) copyIndex(index, copy);
  await change(indexGit({ kind: 'passing-index', tree, index: copy }));
  renameSync(copy, index);
}

/** @returns false where git is at work on the user's index: nothing was changed. */
export async function changeUserIndex(
  tree: WorkTree,
  change: (git: IndexGit) => Promise<void>,
): Promise<boolean> {
  const status = processStatus(process.pid);
  const holder = `ralph index ${process.pid} ${status.kind === 'alive' ? status.startTime : ''}`;
  if (!lockIndex(tree, holder)) return false;
  const folder = ownFolderIn(privateFolder(tree), 'snapshot');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    await replaceIndex(tree, join(folder, 'index'), change);
  } finally {
    unlockIndex(tree);
    rmSync(folder, { recursive: true, force: true });
  }
  return true;
}

/** Removes the lock of a ralph that was killed while it had it; false: it is another one. */
function isDead(tree: WorkTree): boolean {
  let text: string;
  try {
    text = readFileSync(indexLockOf(tree), 'utf8');
  } catch {
    return true;
  }
  const [, pid, started] = /^ralph index (\d+) (\S*)$/.exec(text) ?? [];
  if (pid === undefined) return false;
  const status = processStatus(Number(pid));
  if (status.kind === 'alive' && String(status.startTime) === started) return false;
  unlockIndex(tree);
  return true;
}
