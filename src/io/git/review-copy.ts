import { mkdirSync, rmSync } from 'node:fs';
import type { TreeCopy } from '../../domain/ports/git.ts';
import { indexGit } from './call/git.ts';
import { type BytePath, printPath } from './call/git-path.ts';
import type { WorkTree } from './repository/work-tree.ts';

/**
 * Writes what a tree holds to a folder that doesn't exist yet; submodules stay empty.
 * @throws GitError
 */
export async function copyTree(tree: WorkTree, treeId: string, folder: string): Promise<TreeCopy> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const index = `${folder}.index`;
  const git = indexGit({ kind: 'passing-index', tree, index });
  const inCopy = (args: readonly string[]) => git(['-C', folder, `--work-tree=${folder}`, ...args]);
  await git(['read-tree', treeId]);
  await inCopy(['checkout-index', '-a', '-u', '-f', '-q']);
  return {
    changed: async () => {
      await inCopy(['add', '-A', '.']);
      const now = (await git(['write-tree'])).stdout.toString('utf8').trim();
      if (now === treeId) return [];
      const names = await git(['diff-tree', '-r', '-z', '--no-renames', '--name-only', treeId, now]);
      const paths = names.stdout.toString('latin1').split('\0');
      return paths.filter((path) => path !== '').map((path) => printPath(path as BytePath));
    },
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
      rmSync(index, { force: true });
    },
  };
}
