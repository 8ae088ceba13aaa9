import { join } from 'node:path';
import { fileSignature, isSettledFile, lstatOrNull } from '../../store/files/plain-file.ts';
import { objectGit } from '../call/git.ts';
import { type BytePath, printPath } from '../call/git-path.ts';
import { changesFromHead } from '../diff/diff.ts';
import { parseDiff, type RawChange } from '../diff/parse-diff.ts';
import { PLAIN_DIFF } from '../diff/plain-diff.ts';
import { emptyTree, type WorkTree } from '../repository/work-tree.ts';

/** By their paths. */
export type StagedChanges = ReadonlyMap<BytePath, RawChange>;

export type Staged = {
  readonly change: RawChange;
  /** It isn't staged at all any more; else something else is. */
  readonly isUndone: boolean;
};

/**
 * What was staged in an earlier index and isn't so any more. What is staged by now is left out where commits were made
 * since: it may be part of them.
 *
 * @param before What was staged; `head`: the commit of that time; `now`: that of now.
 * @throws GitError
 */
export async function lostFromIndex(
  tree: WorkTree,
  before: StagedChanges,
  head: string | null,
  now: string | null,
): Promise<readonly Staged[]> {
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
 * How your index has to change when HEAD moves from one commit to another: what isn't staged follows. Else the difference of
 * the two would look staged, and your next commit would revert the second one. Nothing where git can't read the first one.
 *
 * @param before What was staged when the attempt began: it doesn't follow either.
 * @param from `null`: no commit.
 * @throws GitError
 */
export async function followedHead(
  tree: WorkTree,
  before: StagedChanges,
  from: string | null,
  to: string,
): Promise<readonly RawChange[]> {
  if (from !== null) {
    const { code } = await objectGit(tree, ['cat-file', '-e', `${from}^{tree}`], { answers: [1, 128] });
    if (code !== 0) return [];
  }
  const changes = await changesFromHead(tree, from, to);
  const staged = await stagedIn(tree, from, null);
  return changes.filter(({ path }) => !staged.has(path) && !before.has(path));
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
): Promise<StagedChanges> {
  if (index === null && lstatOrNull(join(tree.gitDir, 'index'))?.isFIFO()) return new Map();
  const env = index === null ? {} : { GIT_INDEX_FILE: index };
  const from = head ?? emptyTree('0'.repeat(40));
  const args = ['diff-index', '--cached', ...PLAIN_DIFF, '--no-renames', '--diff-filter=ADMT', '-z', '--raw'];
  const { stdout, code } = await objectGit(tree, [...args, from], { env, answers: [128] });
  return new Map(parseDiff(code === 0 ? stdout : Buffer.alloc(0)).raw.map((change) => [change.path, change]));
}

/** Content ids by the paths of what your index holds that a commit doesn't. */
export type StagedReader = (head: string | null) => Promise<ReadonlyMap<string, string>>;

/** Asks git only where your index or the commit is another one than the last time. */
export function stagedReader(tree: WorkTree): StagedReader {
  let known: { readonly key: string; readonly staged: ReadonlyMap<string, string> } | null = null;
  return async (head) => {
    if (head === null) return new Map();
    const stat = lstatOrNull(join(tree.gitDir, 'index'));
    const key = stat === null ? '' : `${fileSignature(stat)} ${head}`;
    if (known !== null && known.key === key) return known.staged;
    // An index of this moment could change once more without looking different.
    const isKnown = stat !== null && isSettledFile(stat);
    const changes = await stagedIn(tree, head, null);
    const staged = new Map([...changes.values()].map(({ path, newOid }) => [printPath(path), newOid]));
    known = isKnown ? { key, staged } : null;
    return staged;
  };
}
