import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { commitOnBehalf, indexGit, objectGit, objectText } from '../call/git.ts';
import { ownFolderIn, privateFolder, type WorkTree } from '../call/work-tree.ts';
import { PLAIN_DIFF } from '../diff/plain-diff.ts';
import { type Kept, messageOf } from './results.ts';

export async function treeOf(tree: WorkTree, commit: string): Promise<string> {
  return objectText(tree, ['rev-parse', '--verify', `${commit}^{tree}`]);
}

/** The tree that a result makes of a commit: three ways, with the commit that it was made on as the base. `null`: they conflict. */
export async function replayed(tree: WorkTree, result: Kept, onto: string): Promise<string | null> {
  if (onto === result.parent) return result.tree;
  return merged(tree, { base: result.parent, ours: onto, theirs: result.commit });
}

/** A commit on `onto` that takes back another one; `onto` where nothing of that is left, `null` where they conflict. */
export async function reverted(tree: WorkTree, commit: string, onto: string): Promise<string | null> {
  const made = await merged(tree, { base: commit, ours: onto, theirs: `${commit}^` });
  if (made === null) return null;
  if (made === (await treeOf(tree, onto))) return onto;
  const subject = await objectText(tree, ['show', '-s', '--format=%s', commit]);
  return commitOnBehalf(tree, made, [onto], `Revert "${subject}"\n\nThis reverts commit ${commit}.\n`);
}

type Sides = { readonly base: string; readonly ours: string; readonly theirs: string };

/** What git answers where it doesn't know an option. */
const USAGE = 129;

/** The tree of a merge of two commits over a third one, whatever their histories; `null`: they conflict. Each may be given as a tree. */
export async function merged(tree: WorkTree, { base, ours, theirs }: Sides): Promise<string | null> {
  const side = async (of: string) =>
    commitOnBehalf(tree, await treeOf(tree, of), [base], 'replay\n', { ...RALPH, ...datesOf(0) });
  const args = ['merge-tree', '--write-tree', await side(ours), await side(theirs)];
  const { code, stdout } = await objectGit(tree, args, { answers: [1, USAGE] });
  if (code === USAGE) return mergedByFiles(tree, { base, ours, theirs });
  return code === 0 ? (stdout.toString('utf8').split('\n')[0] ?? null) : null;
}

/** The same with a git before 2.38: file by file, so two changes of one file conflict. */
async function mergedByFiles(tree: WorkTree, { base, ours, theirs }: Sides): Promise<string | null> {
  const folder = ownFolderIn(privateFolder(tree), 'snapshot');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    const git = indexGit({ kind: 'passing-index', tree, index: join(folder, 'index') });
    const trees = await Promise.all([base, ours, theirs].map((one) => treeOf(tree, one)));
    await git(['read-tree', '-i', '-m', '--aggressive', ...trees]);
    if ((await git(['ls-files', '--unmerged', '-z'])).stdout.length > 0) return null;
    return (await git(['write-tree'])).stdout.toString('utf8').trim();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Who makes commits that no branch of the user's ever holds. */
export const RALPH = {
  ...{ GIT_AUTHOR_NAME: 'ralph', GIT_AUTHOR_EMAIL: 'ralph@localhost' },
  ...{ GIT_COMMITTER_NAME: 'ralph', GIT_COMMITTER_EMAIL: 'ralph@localhost' },
};

/** @param date Seconds since 1970. */
export function datesOf(date: number) {
  return { GIT_AUTHOR_DATE: `@${date} +0000`, GIT_COMMITTER_DATE: `@${date} +0000` };
}

/** A result as a commit of the line: the same for the same parent and tree, whenever it is made. */
export async function lineCommit(
  tree: WorkTree,
  result: Kept,
  parent: string,
  treeId: string,
  commits: boolean,
): Promise<string> {
  if (parent === result.parent && treeId === result.tree) return result.commit;
  // Where nothing is committed, git doesn't need to know who you are.
  const who = commits ? {} : RALPH;
  const env = { ...who, ...datesOf(result.date) };
  return commitOnBehalf(tree, treeId, [parent], messageOf(result, result.message), env);
}

/**
 * What of a result is in a commit: all of it, nothing, or something in between that can't be told apart from the user's own work.
 */
export async function effectAt(
  tree: WorkTree,
  result: Kept,
  at: string,
): Promise<'there' | 'gone' | 'between'> {
  const made = await replayed(tree, result, at);
  if (made === null) return 'between';
  const there = await treeOf(tree, at);
  if (made === there) return 'there';
  const own = await changedLines(tree, result.parent, result.commit);
  return own === (await changedLines(tree, there, made)) ? 'gone' : 'between';
}

/** The lines that a change adds and takes away, wherever in the files they stand. */
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
