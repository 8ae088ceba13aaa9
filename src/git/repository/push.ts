import { relative } from 'node:path';
import { boxOf } from 'ralph-box';
import { isAtOrBelow } from 'ralph-kit/paths';
import { patience } from 'ralph-kit/programs/start/patience';
import { shellQuote } from 'ralph-kit/shell-quote';
import { asSentence } from 'ralph-kit/text';
import { GitError, type PushOutcome, type PushTarget, type RefMove } from '../../domain/ports.ts';
import { gitCall } from '../call/environment.ts';
import { objectText } from '../call/git.ts';
import { gitOr, runGit } from '../call/run-git.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { isReachable, revision } from '../objects/questions.ts';
import { changedHook } from '../view/changed-hook.ts';
import { hookProblem } from '../view/hooks.ts';
import { PUSH_PLAINLY, remoteCall, specsOf, together, withoutUser } from './remote-call.ts';

/** Returns where a branch is pushed, by the settings pinned at the run's start; `null`: nowhere. */
export async function pushTarget(tree: WorkTree, name: string | null): Promise<PushTarget | null> {
  const branch = name ?? (await answer(tree, ['symbolic-ref', '--quiet', '--short', 'HEAD']));
  if (branch === null || (await revision(tree, `refs/heads/${branch}`)) === null) return null;
  const remotes = (await answer(tree, ['remote']))?.split('\n') ?? [];
  const named = [
    await answer(tree, ['config', `branch.${branch}.pushRemote`]),
    await answer(tree, ['config', 'remote.pushDefault']),
    await answer(tree, ['config', `branch.${branch}.remote`]),
    'origin',
    remotes.length === 1 ? (remotes[0] ?? null) : null,
  ];
  const remote = named.find((one) => one !== null && remotes.includes(one)) ?? null;
  if (remote === null) return null;
  const urls = [
    await answer(tree, ['remote', 'get-url', '--push', remote]),
    await answer(tree, ['config', `remote.${remote}.pushurl`]),
    await answer(tree, ['config', `remote.${remote}.url`]),
  ].flatMap((url) => (url === null ? [] : [url.split('\n')[0] ?? '']));
  return { remote, branch, urls };
}

/** Whether the remote branch has commits that the local one lacks. @see The port `Git` */
export async function isBehind(tree: WorkTree, { branch, remote, urls }: PushTarget): Promise<boolean> {
  const local = `refs/heads/${branch}`;
  return gitOr(false, async () => {
    const there = (await remoteRefs(tree, urls[0] ?? remote, [local], START_MS)).refs.get(local);
    return there !== undefined && !(await isReachable(tree, there, local));
  });
}

async function answer(tree: WorkTree, args: readonly string[]): Promise<string | null> {
  return (await objectText(tree, args, { answers: [1, 2, 128] })) || null;
}

/** Pushes without force: the pre-push hook runs in the box, then git pushes exactly what was checked. @see `Git` */
export async function pushBranch(
  tree: WorkTree,
  name: string | null,
  apart: string | null,
  others: readonly RefMove[] = [],
): Promise<PushOutcome | null> {
  const target = await pushTarget(tree, name);
  if (target === null) return nowhere(tree, name);
  const { remote, urls } = target;
  const local = `refs/heads/${target.branch}`;
  const apartName = `${apart ?? ''}${target.branch}`;
  // The remote's answer decides below.
  let branch = (await isDefault(tree, target)) ? apartName : target.branch;
  const failed = (reason: string, next: string) => ({
    kind: 'failed' as const,
    remote,
    branch,
    urls,
    reason: asSentence(withoutUser(reason).slice(0, MOST_TEXT)),
    next,
  });
  const byHand = () =>
    `git push ${shellQuote(remote)} ${shellQuote(branch === target.branch ? branch : `${target.branch}:${branch}`)}`;
  try {
    const remoteState = await remoteRefs(tree, urls[0] ?? remote, [local, `refs/heads/${apartName}`]);
    branch = apart !== null && remoteState.base === target.branch ? apartName : target.branch;
    if (apart !== null && remoteState.base === null) {
      const reason = `${remote} has no default branch that a pull request could go to. Push one first`;
      return failed(reason, byHand());
    }
    const ref = `refs/heads/${branch}`;
    const commit = (await revision(tree, local)) ?? '';
    const before = remoteState.refs.get(ref) ?? null;
    const about = async () => {
      const ahead = await aheadOf(tree, commit, remoteState);
      return { remote, branch, urls, commit, base: remoteState.base, ahead };
    };
    if (before === commit) return { kind: 'there', ...(await about()) };
    if (before !== null && !(await isReachable(tree, before, commit))) {
      const reason = `${remote}/${branch} has commits that ${target.branch} doesn't have, and nothing is overwritten`;
      return failed(reason, `git pull --rebase --autostash ${shellQuote(remote)} ${shellQuote(branch)}`);
    }
    const asked = `${local} ${commit} ${ref} ${before ?? '0'.repeat(commit.length)}\n`;
    const refused = await hookRefusal(tree, [remote, urls[0] ?? remote], asked);
    if (refused !== null) return failed(refused, byHand());
    const moves = [{ ref, from: before, to: commit }, ...others];
    const how = [...PUSH_PLAINLY, ...(others.length === 0 ? [] : together(moves))];
    const args = ['push', '--porcelain', ...how, '--', remote, ...specsOf(moves)];
    const pushed = await runGit(await remoteCall(tree), args, { answers: [1] });
    if (pushed.code === 0) return { kind: 'pushed', ...(await about()) };
    const refusal = refusalText(pushed.stdout.toString('utf8'), pushed.stderr);
    const isProtected = apart === null && /protected branch/i.test(refusal);
    return failed(isProtected ? `${asSentence(refusal)} ${PROTECTED}` : refusal, byHand());
  } catch (error) {
    // An error with a code comes from the system when a box can't be made.
    const isKnown = error instanceof GitError || (error as NodeJS.ErrnoException).code !== undefined;
    if (!isKnown) throw error;
    return failed((error as Error).message.trim(), byHand());
  }
}

/** Returns the failure without a remote; `null` when no branch is checked out either. */
async function nowhere(tree: WorkTree, name: string | null): Promise<PushOutcome | null> {
  const branch = name ?? (await answer(tree, ['symbolic-ref', '--quiet', '--short', 'HEAD']));
  const reason = 'there is no remote to push to.';
  const failed = { kind: 'failed', remote: 'origin', urls: [], reason } as const;
  return branch === null ? null : { ...failed, branch, next: 'git remote add origin URL' };
}

/** Whether a branch may be the remote's default, as far as known locally. */
async function isDefault(tree: WorkTree, { remote, branch }: PushTarget): Promise<boolean> {
  const known = await answer(tree, ['symbolic-ref', '--quiet', '--short', `refs/remotes/${remote}/HEAD`]);
  return known === null || known === `${remote}/${branch}`;
}

/** Number of characters kept of a failure's text. */
const MOST_TEXT = 2500;
const PROTECTED = '[git] pull_request pushes to a branch beside it';

type RemoteRefs = {
  /** Ids of the remote's refs by full name, including `HEAD`. */
  readonly refs: ReadonlyMap<string, string>;
  /** Short name of the remote's default branch; `null` without one. */
  readonly base: string | null;
};

const ASKING_MS = 2 * 60_000;
/** Shorter limit at the start of a run, which waits for the answer. */
const START_MS = 10_000;

/** Asks the remote for refs and its default branch. @throws GitError */
async function remoteRefs(
  tree: WorkTree,
  url: string,
  names: readonly string[],
  limitMs = ASKING_MS,
): Promise<RemoteRefs> {
  const call = { ...(await remoteCall(tree)), limitMs: patience(limitMs) };
  const { stdout } = await runGit(call, ['ls-remote', '--symref', '--', url, 'HEAD', ...names]);
  const lines = stdout.toString('utf8').split('\n');
  const pairs = lines.map((line) => line.split('\t'));
  const base = lines.flatMap((line) => /^ref: refs\/heads\/(.+)\tHEAD$/.exec(line)?.[1] ?? []);
  const refs = pairs.flatMap(([id = '', ref = '']) => (id.startsWith('ref:') ? [] : [[ref, id] as const]));
  return { refs: new Map(refs), base: base[0] ?? null };
}

const AS_HOOK = `GIT_EXEC_PATH=$("$1" --exec-path) GIT_PREFIX= PATH=$GIT_EXEC_PATH:$PATH
export GIT_EXEC_PATH GIT_PREFIX PATH
shift
exec "$@"`;

/** Runs your pre-push hook as git does; returns its refusal, or `null`. */
async function hookRefusal(tree: WorkTree, args: readonly string[], asked: string): Promise<string | null> {
  const { view, top } = tree;
  if (view === null) return null;
  const changed = changedHook(tree);
  if (changed !== null)
    return `${JSON.stringify(changed)} has changed since ralph started, and your git hooks would run it. Check it with git diff`;
  if (!view.hooks.has('pre-push')) return null;
  const place = { cwd: top, env: process.env, visible: [], home: null, agent: '' };
  const box = boxOf(view.how.box(), { role: 'git', ...place });
  try {
    const call = gitCall({ kind: 'question', folder: top });
    if (call.program.kind === 'missing') return call.program.message;
    // Git runs hooks from the top and uses a relative path below it.
    const folder = isAtOrBelow(view.hooksFrom, top) ? relative(top, view.hooksFrom) || '.' : view.hooksFrom;
    const argv = ['/bin/sh', '-c', AS_HOOK, 'sh', call.program.path, `${folder}/pre-push`, ...args];
    const why = await hookProblem(box, argv, { call, env: { RALPH_PUSH: '1' }, input: asked });
    return why === null ? null : `your pre-push hook ${why}`;
  } finally {
    box.close();
  }
}

/** Returns the remote's message, else git's: `[rejected] (fetch first)`. */
function refusalText(porcelain: string, stderr: string): string {
  const status = /^!\t[^\t]*\t(.*)$/m.exec(porcelain)?.[1] ?? '';
  const words = stderr.split('\n').flatMap((line) => /^remote:\s*(.*\S)/.exec(line)?.[1] ?? []);
  const rest = words.length > 0 ? words : status === '' ? [stderr] : [];
  return `the remote refuses it: ${[status, ...rest].filter((one) => one !== '').join(' ')}`;
}

const MOST_AHEAD = 1000;

async function aheadOf(tree: WorkTree, commit: string, { refs }: RemoteRefs): Promise<string[]> {
  const base = refs.get('HEAD');
  if (base === undefined) return [];
  // Commits that others pushed may not exist locally.
  const isHere = (await revision(tree, `${base}^{commit}`)) !== null;
  const args = ['rev-list', `--max-count=${MOST_AHEAD}`, commit, ...(isHere ? [`^${base}`] : [])];
  return (await objectText(tree, args)).split('\n').filter((one) => one !== '');
}
