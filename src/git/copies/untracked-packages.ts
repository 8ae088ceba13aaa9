import { appendFileSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { holdsPackages, isEnvironment } from 'ralph-ecosystems';
import { tryOr } from 'ralph-kit/try-or';
import { GitError } from '../../domain/ports.ts';
import { type BytePath, ignoreLine, printPath } from '../call/git-path.ts';
import { absolute, lstatQuietly, type WorkTree } from '../call/work-tree.ts';
import { listUntracked } from './seed.ts';

/**
 * Adds ignore rules for untracked installed packages: Python environments, `node_modules`, and links to package
 * folders, which a rule such as `node_modules/` doesn't match. They are never meant to be committed.
 * @param tree With its own view.
 */
export async function ignoreUntrackedPackages(tree: WorkTree): Promise<void> {
  const untracked = await listUntracked(tree, join(tree.gitDir, 'index'), 'not_ignored').catch((error) => {
    // An unreadable index is reported by whoever needs it.
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
