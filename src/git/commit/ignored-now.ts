import { objectGit } from '../call/git.ts';
import { type BytePath, nulList } from '../call/git-path.ts';
import type { WorkTree } from '../call/work-tree.ts';
import type { RawChange } from '../objects/raw-change.ts';
import { parsePaths } from '../read/parse-status.ts';

/** Returns new files that are now ignored, so no commit gets them. @param index Decides which files are tracked. */
export async function ignoredNow(
  tree: WorkTree,
  index: string,
  changes: readonly RawChange[],
): Promise<ReadonlySet<BytePath>> {
  const added = changes.filter(({ status }) => status === 'A');
  if (added.length === 0) return new Set();
  // `check-ignore` has no literal paths; a leading `./` keeps paths from being read as patterns.
  const input = nulList(added.map((change) => `./${change.path}` as BytePath));
  // Git never reports indexed files as ignored, and all of these are in the index.
  const env = { GIT_LITERAL_PATHSPECS: '0', GIT_INDEX_FILE: index };
  const listed = await objectGit(tree, ['check-ignore', '--no-index', '-z', '--stdin'], {
    input,
    env,
    answers: [1],
  });
  return new Set(parsePaths(listed.stdout).map((path) => path.slice(2) as BytePath));
}
