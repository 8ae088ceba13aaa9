import { objectGit } from '../call/git.ts';
import type { WorkTree } from './work-tree.ts';

/** Those of some ids that name no object here. @throws GitError */
export async function missingOf(tree: WorkTree, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const input = ids.map((id) => `${id}\n`).join('');
  const { stdout } = await objectGit(tree, ['cat-file', '--batch-check'], { input });
  return new Set([...stdout.toString('utf8').matchAll(/^([0-9a-f]+) missing$/gm)].map(([, id = '']) => id));
}
