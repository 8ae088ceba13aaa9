import { appendFileSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { holdsPackages } from '../../../lib/scope/tool-outputs.ts';
import { tryOr } from '../../../lib/try-or.ts';
import { objectGit } from '../call/git.ts';
import { type BytePath, ignoreLine, printPath } from '../call/git-path.ts';
import { absolute, lstatQuietly, type WorkTree } from '../call/work-tree.ts';
import { parsePaths } from '../read/parse-status.ts';

/**
 * Has git ignore the links of a work tree that stand in the place of a folder of packages and aren't tracked: a rule such as
 * `node_modules/` is of folders alone, and nobody means to commit them.
 *
 * @param tree With a view of its own.
 */
export async function ignoreLinkedPackages(tree: WorkTree): Promise<void> {
  const { stdout } = await objectGit(tree, [
    'ls-files',
    '-z',
    '--others',
    '--exclude-standard',
    '--directory',
  ]);
  const lines = parsePaths(stdout)
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
