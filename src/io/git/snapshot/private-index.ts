import { copyFileSync, lstatSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { leftFoldersIn, ownFolderIn, privateFolder, type WorkTree } from '../call/work-tree.ts';
import { hashOfIndex, type IndexBelief } from './index-record.ts';

/** The files of one open work tree, in a folder of this process. */
export type PrivateFiles = {
  readonly folder: string;
  readonly index: string;
  /** An index that lasts for one commit or one kept tree. */
  readonly passingIndex: string;
};

export function privateFiles(tree: WorkTree): PrivateFiles {
  const folder = ownFolderIn(privateFolder(tree), 'snapshot');
  return {
    folder,
    index: join(folder, 'index'),
    passingIndex: join(folder, 'passing-index'),
  };
}

/**
 * Begins with an index for a process: the warm one that an earlier process left on record, else a copy of the user's
 * where ralph was never here. All else that such processes left is removed.
 */
export function firstIndex(
  tree: WorkTree,
  { index }: PrivateFiles,
  belief: IndexBelief,
): 'adopted' | 'copied' | 'none' {
  rmSync(index, { force: true });
  const left = leftFoldersIn(privateFolder(tree), 'snapshot').map((one) => join(one, 'index'));
  const believed = left.find((one) => belief.kind === 'hash' && hashOfIndex(one) === belief.sha256);
  const adopted = believed !== undefined && adopt(believed, index);
  for (const one of left) rmSync(join(one, '..'), { recursive: true, force: true });
  if (adopted) return 'adopted';
  return belief.kind === 'first' && copyIndex(join(tree.gitDir, 'index'), index) ? 'copied' : 'none';
}

/**
 * Copies an index with its modification time, rounded down: git reads content again for entries that aren't older
 * than their index, and a younger copy would take that away.
 */
export function copyIndex(from: string, to: string): boolean {
  try {
    const stat = statSync(from);
    // A copy of a pipe would not end.
    if (!stat.isFile()) return false;
    const seconds = Math.floor(stat.mtimeMs / 1000);
    copyFileSync(from, to);
    utimesSync(to, seconds, seconds);
    return true;
  } catch {
    rmSync(to, { force: true });
    return false;
  }
}

/** A rename takes it, so of two processes only one gets it. */
function adopt(left: string, index: string): boolean {
  try {
    if (!lstatSync(left).isFile()) return false;
    renameSync(left, index);
    return true;
  } catch {
    return false;
  }
}
