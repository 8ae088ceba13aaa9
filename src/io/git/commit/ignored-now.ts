import { objectGit } from '../call/git.ts';
import { type BytePath, nulList } from '../call/git-path.ts';
import type { WorkTree } from '../call/work-tree.ts';
import type { RawChange } from '../objects/raw-change.ts';
import { parsePaths } from '../read/parse-status.ts';

/** Those new files of a change that are ignored by now, which no commit gets. @param index By which files are tracked or not. */
export async function ignoredNow(
  tree: WorkTree,
  index: string,
  changes: readonly RawChange[],
): Promise<ReadonlySet<BytePath>> {
  const added = changes.filter(({ status }) => status === 'A');
  if (added.length === 0) return new Set();
  // This command has no literal paths; with `./` in front none is taken for a pattern.
  const input = nulList(added.map((change) => `./${change.path}` as BytePath));
  // What the index holds counts as not ignored, and it holds all of these.
  const env = { GIT_LITERAL_PATHSPECS: '0', GIT_INDEX_FILE: index };
  const listed = await objectGit(tree, ['check-ignore', '--no-index', '-z', '--stdin'], {
    input,
    env,
    answers: [1],
  });
  return new Set(parsePaths(listed.stdout).map((path) => path.slice(2) as BytePath));
}
