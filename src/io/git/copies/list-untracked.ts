import { objectGit } from '../call/git.ts';
import type { BytePath } from '../call/git-path.ts';
import { isOwn, type WorkTree } from '../call/work-tree.ts';
import { parsePaths } from '../read/parse-status.ts';

/**
 * What an index doesn't hold of a work tree, without ralph's own files: what git ignores of it, or what it doesn't; a folder of which all is
 * so is one.
 */
export async function listUntracked(
  tree: WorkTree,
  index: string,
  which: 'ignored' | 'not_ignored',
): Promise<BytePath[]> {
  const ignored = which === 'ignored' ? ['--ignored'] : [];
  const args = ['ls-files', '-z', '--others', ...ignored, '--exclude-standard', '--directory'];
  const { stdout } = await objectGit(tree, args, { env: { GIT_INDEX_FILE: index } });
  return parsePaths(stdout)
    .map((path) => path.replace(/\/$/, '') as BytePath)
    .filter((path) => !isOwn(tree, path));
}
