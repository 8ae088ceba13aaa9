import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type IndexGit, indexGit } from '../call/git.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { hideOutside } from '../read/index-state.ts';

/** The tree that a change makes of another one (`null`: of an empty one), written in an index of ours. @throws GitError */
export async function changedTree(
  tree: WorkTree,
  indexFile: string,
  base: string | null,
  change: (git: IndexGit) => Promise<void>,
): Promise<string> {
  // The first snapshot makes it, and there may have been none yet.
  mkdirSync(dirname(indexFile), { recursive: true, mode: 0o700 });
  const git = indexGit({ kind: 'passing-index', tree, index: indexFile });
  await git(['read-tree', base ?? '--empty']);
  await hideOutside(tree, git);
  await change(git);
  return (await git(['write-tree'])).stdout.toString('utf8').trim();
}
