import { pathsOf } from './change-set.ts';
import type { Git } from './ports/git.ts';

/**
 * Returns the paths that differ between two trees, with both names of a renamed file.
 * @throws GitError if git doesn't have the trees any more.
 */
export async function pathsBetween(
  git: Pick<Git, 'diff'>,
  from: string,
  to: string,
): Promise<readonly string[]> {
  if (from === to) return [];
  const snapshot = { head: null, branch: null };
  return pathsOf(await git.diff({ ...snapshot, tree: from }, { ...snapshot, tree: to }));
}
