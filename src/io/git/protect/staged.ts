import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { objectGit } from '../call/git.ts';
import type { BytePath } from '../call/git-path.ts';
import { parseDiff, type RawChange } from '../diff/parse-diff.ts';
import { PLAIN_DIFF } from '../diff/plain-diff.ts';
import { emptyTree, type WorkTree } from '../repository/work-tree.ts';

export type Staged = {
  readonly change: RawChange;
  /** It isn't staged at all any more; else something else is. */
  readonly isUndone: boolean;
};

/**
 * What was staged in an earlier index and isn't so any more. What is staged by now is left out where commits were made
 * since: it may be part of them.
 *
 * @param copy The index as it was; `head`: the commit of that time; `now`: that of now.
 * @throws GitError
 */
export async function lostFromIndex(
  tree: WorkTree,
  copy: string,
  head: string | null,
  now: string | null,
): Promise<readonly Staged[]> {
  const before = await stagedIn(tree, head, copy);
  if (before.size === 0) return [];
  const staged = await stagedIn(tree, head, null);
  return [...before.values()].flatMap((change): Staged[] => {
    const there = staged.get(change.path);
    if (there === undefined) return [{ change, isUndone: true }];
    const isSame = there.newOid === change.newOid && there.newMode === change.newMode;
    return isSame || now !== head ? [] : [{ change, isUndone: false }];
  });
}

/**
 * What an index holds that a commit doesn't; nothing where there is no such commit and git can't say, or where a pipe
 * that git would wait for stands in the place of the index.
 *
 * @param index `null`: the user's.
 * @throws GitError
 */
export async function stagedIn(
  tree: WorkTree,
  head: string | null,
  index: string | null,
): Promise<ReadonlyMap<BytePath, RawChange>> {
  if (index === null && lstatSync(join(tree.gitDir, 'index'), { throwIfNoEntry: false })?.isFIFO())
    return new Map();
  const env = index === null ? {} : { GIT_INDEX_FILE: index };
  const from = head ?? emptyTree('0'.repeat(40));
  const args = ['diff-index', '--cached', ...PLAIN_DIFF, '--no-renames', '--diff-filter=ADMT', '-z', '--raw'];
  const { stdout, code } = await objectGit(tree, [...args, from], { env, answers: [128] });
  return new Map(parseDiff(code === 0 ? stdout : Buffer.alloc(0)).raw.map((change) => [change.path, change]));
}
