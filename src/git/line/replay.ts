import { join } from 'node:path';
import { isLock } from 'ralph-ecosystems';
import { lastUsed } from 'ralph-kit/last-used';
import { indexGit, objectGit, objectText } from '../call/git.ts';
import { type BytePath, printPath } from '../call/git-path.ts';
import { inOwnFolder, type WorkTree, withTemporaryObjects } from '../call/work-tree.ts';
import { changesFromHead } from '../diff/diff.ts';
import { PLAIN_DIFF } from '../diff/plain-diff.ts';
import { objectsOf } from '../objects/door.ts';
import { makeCommit } from '../objects/make-commit.ts';
import { treeOf } from '../objects/questions.ts';
import { writeTree } from '../read/index-content.ts';
import { composeTree } from '../trees/changed-tree.ts';
import { type KeptResult, messageOf } from './results.ts';

/** Number of answers that are remembered: each look asks about all results that stand uncommitted. */
const REMEMBERED = 10_000;

type AboutResult<T> = (tree: WorkTree, result: KeptResult, at: string) => Promise<T>;

/** Remembers what follows from a result and a commit alone. @param isStillThere Whether objects in an answer still exist. */
function rememberedBy<T>(
  make: AboutResult<T>,
  isStillThere: (tree: WorkTree, answer: T) => Promise<boolean> = async () => true,
): AboutResult<T> {
  const known = lastUsed<T>(REMEMBERED);
  return async (tree, result, at) => {
    const key = `${tree.gitDir} ${result.commit} ${at}`;
    const ask = () => known.ask(key, () => make(tree, result, at));
    const answer = await ask();
    if (await isStillThere(tree, answer)) return answer;
    known.forget(key);
    return ask();
  };
}

/** Returns the tree of a result merged onto a commit, with its parent as base; `null` on conflict. */
export async function replayed(tree: WorkTree, result: KeptResult, onto: string): Promise<string | null> {
  if (onto === result.parent) return result.tree;
  return merged(tree, { base: result.parent, onto, change: result.commit });
}

/** Like `replayed` for the line: a lock file changed on both sides is a conflict. */
export const appended = rememberedBy<string | null>(
  async (tree, result, onto) => {
    const sides = { base: result.parent, onto, change: result.commit };
    if (onto !== result.parent && (await contestedLocks(tree, sides)).length > 0) return null;
    return replayed(tree, result, onto);
  },
  // `git gc --prune=now` removes trees that no ref has yet.
  async (tree, made) => made === null || (await objectsOf(tree)).isThere(made),
);

/** Reverts a commit on `onto`; returns `onto` when nothing is left of it, `null` on conflict. */
export async function reverted(tree: WorkTree, commit: string, onto: string): Promise<string | null> {
  const sides = { base: commit, onto, change: `${commit}^` };
  if ((await contestedLocks(tree, sides)).length > 0) return null;
  const made = await merged(tree, sides);
  if (made === null) return null;
  if (made === (await treeOf(tree, onto))) return onto;
  const subject = await objectText(tree, ['show', '-s', '--format=%s', commit]);
  const message = `Revert "${subject}"\n\nThis reverts commit ${commit}.\n`;
  return makeCommit(tree, made, [onto], message, { who: 'user' });
}

type Sides = { readonly base: string; readonly onto: string; readonly change: string };

/** Returns lock files that both sides changed differently. Merging their lines would give a file that no tool wrote. */
export async function contestedLocks(
  tree: WorkTree,
  { base, onto, change }: Sides,
): Promise<readonly BytePath[]> {
  const locksOf = async (side: string) =>
    (await changesFromHead(tree, base, side)).filter(
      ({ path, status }) => status !== 'D' && isLock(printPath(path)),
    );
  const changed = await locksOf(change);
  if (changed.length === 0) return [];
  const others = new Map((await locksOf(onto)).map(({ path, newOid }) => [path, newOid]));
  return changed
    .filter(({ path, newOid }) => others.has(path) && others.get(path) !== newOid)
    .map(({ path }) => path);
}

/** Merges with contested lock files as `onto` has them; returns those, too. */
export async function mergedButLocks(
  tree: WorkTree,
  sides: Sides,
): Promise<{ readonly tree: string | null; readonly locks: readonly BytePath[] }> {
  const locks = await contestedLocks(tree, sides);
  if (locks.length === 0) return { tree: await merged(tree, sides), locks };
  const parts = { base: sides.change, from: sides.onto, paths: locks.map(printPath) };
  const change = await composeTree(tree, parts);
  return { tree: await merged(tree, { ...sides, change }), locks };
}

/** Git's exit code for an unknown option. */
const USAGE = 129;

/** Returns the merged tree of commits or trees over a base, whatever their histories; `null` on conflict. */
export async function merged(tree: WorkTree, { base, onto, change }: Sides): Promise<string | null> {
  return withTemporaryObjects(tree, async (sides) => {
    const side = async (of: string) =>
      makeCommit(sides, await treeOf(tree, of), [base], 'replay\n', { who: 'ralph', date: 0 });
    const args = ['merge-tree', '--write-tree', await side(onto), await side(change)];
    // The sides' commits are temporary; the result is written where it was requested.
    const joined = tree.passing === undefined ? { ...tree, alternates: [sides.passing] } : sides;
    const { code, stdout } = await objectGit(joined, args, { answers: [1, USAGE] });
    if (code === USAGE) return await mergedByFiles(tree, { base, onto, change });
    return code === 0 ? (stdout.toString('utf8').split('\n')[0] ?? null) : null;
  });
}

/** Merges by file for git before 2.38, so two changes of one file conflict. */
async function mergedByFiles(tree: WorkTree, { base, onto, change }: Sides): Promise<string | null> {
  return inOwnFolder(tree, async (folder) => {
    const git = indexGit({ kind: 'passing-index', tree, index: join(folder, 'index') });
    const trees = await Promise.all([base, onto, change].map((one) => treeOf(tree, one)));
    await git(['read-tree', '-i', '-m', '--aggressive', ...trees]);
    if ((await git(['ls-files', '--unmerged', '-z'])).stdout.length > 0) return null;
    return writeTree(git);
  });
}

/** Returns a result as a commit of the line, identical for the same parent and tree. */
export async function lineCommit(
  tree: WorkTree,
  result: KeptResult,
  parent: string,
  treeId: string,
  commits: boolean,
): Promise<string> {
  if (parent === result.parent && treeId === result.tree) return result.commit;
  // Without commits, git needn't know the user.
  const by = { who: commits ? 'user' : 'ralph', date: result.date } as const;
  return makeCommit(tree, treeId, [parent], messageOf(result, result.message), by);
}

/** What a commit has of a result; `lacks`: the result's paths that it doesn't have, empty on conflict. */
export type Effect = { readonly kind: 'there' | 'gone' | 'between'; readonly lacks: readonly BytePath[] };

/** Returns whether a commit contains a result; `between` can't be told from the user's own work. */
export const effectAt = rememberedBy((tree, result, at) =>
  withTemporaryObjects(tree, async (passing): Promise<Effect> => {
    const made = await replayed(passing, result, at);
    if (made === null) return { kind: 'between', lacks: [] };
    const there = await treeOf(passing, at);
    if (made === there) return { kind: 'there', lacks: [] };
    const own = await changedLines(passing, result.parent, result.commit);
    const isGone = own === (await changedLines(passing, there, made));
    return { kind: isGone ? 'gone' : 'between', lacks: await pathsBetween(passing, there, made) };
  }),
);

export const isIn = rememberedBy((tree, result, at) =>
  withTemporaryObjects(
    tree,
    async (passing) => (await replayed(passing, result, at)) === (await treeOf(tree, at)),
  ),
);

export async function pathsBetween(tree: WorkTree, from: string, to: string): Promise<BytePath[]> {
  return (await changesFromHead(tree, from, to)).map(({ path }) => path);
}

/**
 * Returns the paths that a change shares with another one from the same base, and those to name: all of the change's
 * where it shares none, as a file that conflicts with a folder shares no path.
 */
export async function conflictingPaths(
  tree: WorkTree,
  base: string,
  change: string,
  onto: string,
): Promise<{ readonly paths: readonly string[]; readonly shared: readonly BytePath[] }> {
  const own = await pathsBetween(tree, base, change);
  const others = new Set(await pathsBetween(tree, base, onto));
  const shared = own.filter((path) => others.has(path));
  return { paths: (shared.length === 0 ? own : shared).map(printPath), shared };
}

/** Returns the added and removed lines of a change, regardless of position. */
async function changedLines(tree: WorkTree, from: string, to: string): Promise<string> {
  const diff = await objectGit(tree, [
    'diff-tree',
    '-r',
    '-p',
    '-U0',
    '--no-renames',
    ...PLAIN_DIFF,
    from,
    to,
  ]);
  return diff.stdout
    .toString('latin1')
    .split('\n')
    .filter((line) => /^(?:[+-]|Binary)/.test(line))
    .sort()
    .join('\n');
}
