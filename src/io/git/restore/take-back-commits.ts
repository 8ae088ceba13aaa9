import type { CommitsTakenBack } from '../../../domain/ports.ts';
import { objectGit, objectText, revision, userIndexGit } from '../call/git.ts';
import { changesFromHead } from '../diff/diff.ts';
import type { WorkTree } from '../repository/work-tree.ts';
import { readEntries, setChanged } from '../snapshot/index-state.ts';

type Series = {
  readonly head: string | null;
  readonly branch: string | null;
  /** Those that agents made. */
  readonly commits: readonly string[];
};

/**
 * Takes the branch back to where a series of attempts began, where nothing but the agent's commits came on top and
 * nothing else holds them: no other branch, no remote. They stay at `keepAt`. The work tree isn't touched.
 */
export async function takeBackCommits(
  tree: WorkTree,
  { head: from, branch, commits }: Series,
  keepAt: string,
): Promise<CommitsTakenBack> {
  const now = await revision(tree, 'HEAD');
  if (now === null || now === from) return { kind: 'none' };
  const made = new Set(commits);
  const range = from === null ? [now] : [`${from}..${now}`];
  const between = (await objectText(tree, ['rev-list', ...range])).split('\n').filter(Boolean);
  if (!between.some((commit) => made.has(commit))) return { kind: 'none' };
  const stay = (reason: string): CommitsTakenBack => ({ kind: 'stayed', count: between.length, reason });
  if (from === null) return stay('there was no commit before them');
  const ref = `refs/heads/${branch}`;
  const current = await objectText(tree, ['symbolic-ref', '--quiet', 'HEAD'], { answers: [1] });
  if (branch === null || current !== ref) return stay('another branch is checked out than when they began');
  if (between.some((commit) => !made.has(commit))) return stay('other commits lie between or on top of them');
  const isOlder = await objectGit(tree, ['merge-base', '--is-ancestor', from, now], { answers: [1] });
  if (isOlder.code !== 0) return stay('the branch was rewritten');
  const other = (await refsWith(tree, between)).find((name) => name !== ref);
  if (other !== undefined) return stay(`${other.replace(/^refs\/(?:heads|remotes)\//, '')} holds them, too`);
  const undone = await changesFromHead(tree, now, from);
  const staged = new Map((await readEntries(userIndexGit(tree))).map(({ path, oid }) => [path, oid]));
  await objectGit(tree, ['update-ref', keepAt, now]);
  await objectGit(tree, ['update-ref', '-m', 'ralph: work set aside', ref, from, now]);
  // What you staged on top of them stays staged.
  const left = undone.filter(
    ({ path, oldOid, status }) => (staged.get(path) ?? null) === (status === 'A' ? null : oldOid),
  );
  await setChanged(userIndexGit(tree), left);
  return { kind: 'taken_back', count: between.length, keptAt: keepAt, refs: new Map([[ref, from]]) };
}

/** Branches, also of remotes, that hold any of these commits. */
async function refsWith(tree: WorkTree, commits: readonly string[]): Promise<string[]> {
  const contains = commits.map((commit) => `--contains=${commit}`);
  const args = ['for-each-ref', ...contains, '--format=%(refname)', 'refs/heads/', 'refs/remotes/'];
  return (await objectText(tree, args)).split('\n').filter(Boolean);
}
