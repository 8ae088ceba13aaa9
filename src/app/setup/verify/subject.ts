import { shellQuote } from 'ralph-kit/shell-quote';
import { READ_PATCH_BYTES } from '../../../domain/change-set.ts';
import type { CopyCommit } from '../../../domain/ports.ts';
import { MARKS_SUBJECT } from '../../../domain/records/marks.ts';
import { fetchRefs, openPorcelain } from '../../../git/index.ts';
import { pullRequest } from '../../../io/code-host/index.ts';
import { FIRST_COMMIT } from '../../../tell/index.ts';
import { type Failure, failure } from '../../result.ts';
import type { Project } from '../project.ts';

/** The work to verify. At most one field may be set. */
export type SubjectOptions = {
  /** A range of commits, `BASE..HEAD`; `null`: none. */
  readonly range: string | null;
  readonly branch: string | null;
  readonly pr: number | null;
  readonly staged: boolean;
  readonly dirty: boolean;
};

export type Subject = {
  readonly ok: true;
  /** Name of the work on screen, such as "feature since main". */
  readonly what: string;
  readonly base: { readonly commit: string; readonly tree: string };
  /** Current state of the work. `commit`: `null` if the work isn't committed. */
  readonly head: { readonly commit: string | null; readonly tree: string };
  readonly commits: readonly CopyCommit[];
};

type Place = Pick<Project, 'root' | 'git'>;
type Porcelain = Awaited<ReturnType<typeof openPorcelain>>;

/** Finds the requested work. By default it is the uncommitted changes, otherwise the branch. */
export async function subjectOf(project: Place, asked: SubjectOptions): Promise<Subject | Failure> {
  const { range, branch, pr, staged, dirty } = asked;
  const given = [range !== null, branch !== null, pr !== null, staged, dirty].filter(Boolean).length;
  if (given > 1) return failure('Name one thing to verify.', 'ralph verify --help');
  const ask = await openPorcelain(project.root);
  const head = await ask.head();
  if (head === null)
    return failure('This repository has no commit yet, so there is nothing to compare with.', FIRST_COMMIT);
  if (pr !== null) return ofPullRequest(project, ask, pr);
  if (range !== null) {
    const [, from = '', to = ''] = /^(.*?)\.\.\.?(.*)$/.exec(range) ?? [];
    if (!range.includes('..')) return failure(`"${range}" isn't a range: BASE..HEAD.`, 'ralph verify --help');
    return between(project, ask, { from: from || 'HEAD', to: to || 'HEAD' });
  }
  if (staged) return notCommitted(ask, head, 'what is staged', await project.git.stagedTree());
  if (dirty || (branch === null && (await isDirty(project))))
    return notCommitted(ask, head, "what isn't committed", (await project.git.snapshot()).tree);
  return ofBranch(project, ask, branch ?? (await ask.branch()) ?? 'HEAD');
}

async function isDirty({ git }: Place): Promise<boolean> {
  return (await git.dirtyPaths(await git.snapshot())).length > 0;
}

async function notCommitted(ask: Porcelain, head: string, what: string, tree: string) {
  const base = { commit: head, tree: (await ask.treeOf(head)) ?? '' };
  return { ok: true as const, what, base, head: { commit: null, tree }, commits: [] };
}

/**
 * Returns the commits of a branch. For a branch within main, its unpushed commits; without any, or without a remote,
 * the last commit that has more than marks.
 */
async function ofBranch(project: Place, ask: Porcelain, branch: string): Promise<Subject | Failure> {
  const main = await ask.mainBranch();
  const tip = await ask.commitOf(branch);
  if (tip === null) return failure(`There is no branch ${branch}.`, 'git branch --all');
  const common = main === null ? null : await ask.mergeBase(main, tip);
  if (main !== null && common !== null && common !== tip)
    return between(project, ask, { from: main, to: branch });
  const last = (await ask.newestWithout(tip, MARKS_SUBJECT)) ?? tip;
  const unpushed = await ask.unpushed(tip);
  const isPushed = !unpushed.includes(last);
  const first = isPushed ? last : (unpushed.at(-1) ?? last);
  const isRoot = (await ask.commitOf(`${first}~1`)) === null;
  if (isRoot && first === tip) return onlyCommit(ask, { branch, tip });
  const what = isPushed ? `the last commit of ${branch}` : `what of ${branch} isn't pushed`;
  return between(project, ask, { from: isRoot ? first : `${first}~1`, to: branch }, what);
}

/** The first commit has no parent, so all of its files count as changed. */
async function onlyCommit(
  ask: Porcelain,
  { branch, tip }: { readonly branch: string; readonly tip: string },
): Promise<Subject | Failure> {
  if (await ask.isShallow())
    return failure(`git has one commit of ${branch} here, and no earlier one.`, 'git fetch --unshallow');
  const [base, tree] = [await ask.emptyTree(), await ask.treeOf(tip)];
  if (base === null || tree === null) return failure(`The files of ${branch} can't be read.`, 'git fsck');
  return {
    ok: true,
    what: `the only commit of ${branch}`,
    base: { commit: tip, tree: base },
    head: { commit: tip, tree },
    commits: [],
  };
}

async function between(
  { git }: Place,
  ask: Porcelain,
  { from, to }: { readonly from: string; readonly to: string },
  what = `${shortName(to)} since ${shortName(from)}`,
): Promise<Subject | Failure> {
  const [one, head] = [await ask.commitOf(from), await ask.commitOf(to)];
  if (one === null || head === null)
    return failure(`There is no commit ${one === null ? from : to}.`, 'git log --oneline');
  // Commits that the base got later don't belong to the work.
  const commit = await ask.mergeBase(one, head);
  if (commit === null) return failure(`${from} and ${to} have no commit in common.`, 'git fetch --unshallow');
  const [base, tree] = [await ask.treeOf(commit), await ask.treeOf(head)];
  if (base === null || tree === null) return failure(`The files of ${to} can't be read.`, 'git fsck');
  const commits = await git.commitsBetween(commit, head, READ_PATCH_BYTES);
  return { ok: true, what, base: { commit, tree: base }, head: { commit: head, tree }, commits };
}

function shortName(ref: string): string {
  return ref.replace(/^refs\/(?:heads|remotes)\//, '').replace(/^([0-9a-f]{10})[0-9a-f]{30,}$/, '$1');
}

async function ofPullRequest(project: Place, ask: Porcelain, pr: number): Promise<Subject | Failure> {
  const found = await pullRequest(project.root, pr);
  if (!found.ok) return failure(`${found.message}.`, 'gh auth status');
  const { base, repository } = found.value;
  const remotes = await ask.remotes();
  const isOf = (url: string) =>
    url
      .replace(/\.git$/, '')
      .toLowerCase()
      .endsWith(repository.toLowerCase());
  const remote = remotes.find(({ url }) => isOf(url)) ?? remotes.find(({ name }) => name === 'origin');
  if (remote === undefined) return failure(`No remote of this repository is ${repository}.`, 'git remote -v');
  const fetched = await fetchRefs(project.root, remote.name, [`refs/pull/${pr}/head`, `refs/heads/${base}`]);
  if (!fetched.ok)
    return failure(
      `Pull request ${pr} can't be fetched: ${fetched.why}.`,
      `git fetch ${shellQuote(remote.name)}`,
    );
  const [to = '', from = ''] = fetched.commits;
  return between(project, ask, { from, to }, `pull request ${pr} since ${base}`);
}
