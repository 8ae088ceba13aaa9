import { appendFileSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { GitError } from '../../../domain/ports.ts';
import { holdsPackages, isEnvironment } from '../../../ecosystems/index.ts';
import { tryOr } from '../../../lib/try-or.ts';
import { type BytePath, ignoreLine, printPath } from '../call/git-path.ts';
import { absolute, lstatQuietly, type WorkTree } from '../call/work-tree.ts';
import { listUntracked } from './seed.ts';

/**
 * Has git ignore what is installed in a work tree and neither tracked nor ignored: environments of Python, `node_modules`, and links in the place
 * of any folder of packages, as a rule such as `node_modules/` is of folders alone. Nothing of it is meant to be committed.
 *
 * @param tree With a view of its own.
 */
export async function ignoreUntrackedPackages(tree: WorkTree): Promise<void> {
  const untracked = await listUntracked(tree, join(tree.gitDir, 'index'), 'not_ignored').catch((error) => {
    // Of an index that can't be read nothing is known; who needs one says so.
    if (error instanceof GitError) return [];
    throw error;
  });
  const lines = untracked
    .filter((path) => isInstalledThere(tree, path))
    .map((path) => `${ignoreLine(path)}\n`);
  if (tree.view !== null && lines.length > 0)
    appendFileSync(join(tree.view.folder, 'excludes'), lines.join(''), 'latin1');
}

function isInstalledThere(tree: WorkTree, path: BytePath): boolean {
  const found = lstatQuietly(absolute(tree, path));
  const isThere = (one: string) => existsSync(join(tree.top, one));
  if (found?.isDirectory() === true) return isEnvironment(printPath(path), isThere);
  if (found?.isSymbolicLink() !== true) return false;
  const isFolder = tryOr(false, () => statSync(absolute(tree, path)).isDirectory());
  return isFolder && holdsPackages(printPath(path), isThere);
}
