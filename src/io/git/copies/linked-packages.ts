import { appendFileSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { GitError } from '../../../domain/ports.ts';
import { holdsPackages } from '../../../ecosystems/index.ts';
import { tryOr } from '../../../lib/try-or.ts';
import { type BytePath, ignoreLine, printPath } from '../call/git-path.ts';
import { absolute, lstatQuietly, type WorkTree } from '../call/work-tree.ts';
import { listUntracked } from './seed.ts';

/**
 * Has git ignore the links of a work tree that stand in the place of a folder of packages and aren't tracked: a rule such as
 * `node_modules/` is of folders alone, and what is installed is not meant to be committed.
 *
 * @param tree With a view of its own.
 */
export async function ignoreLinkedPackages(tree: WorkTree): Promise<void> {
  const untracked = await listUntracked(tree, join(tree.gitDir, 'index'), 'not_ignored').catch((error) => {
    // Of an index that can't be read nothing is known; who needs one says so.
    if (error instanceof GitError) return [];
    throw error;
  });
  const lines = untracked
    .filter((path) => isLinkedPackages(tree, path))
    .map((path) => `${ignoreLine(path)}\n`);
  if (tree.view !== null && lines.length > 0)
    appendFileSync(join(tree.view.folder, 'excludes'), lines.join(''), 'latin1');
}

function isLinkedPackages(tree: WorkTree, path: BytePath): boolean {
  if (lstatQuietly(absolute(tree, path))?.isSymbolicLink() !== true) return false;
  const isFolder = tryOr(false, () => statSync(absolute(tree, path)).isDirectory());
  return isFolder && holdsPackages(printPath(path), (one) => existsSync(join(tree.top, one)));
}
