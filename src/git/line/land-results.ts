import {
  type FindRefusal,
  GitError,
  type Landed,
  type LandingWaits,
  type ResultId,
  type Reverted,
} from '../../domain/ports.ts';
import { type BytePath, printPath } from '../call/git-path.ts';
import { isIndexLocked } from '../call/index-lock.ts';
import { asGitError } from '../call/run-git.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { changesFromHead } from '../diff/diff.ts';
import { objectsOf } from '../objects/door.ts';
import { makeSignedCommit, signingLimit } from '../objects/make-commit.ts';
import { headRef, moveRefs, revision, treeOf, updateRefs } from '../objects/questions.ts';
import { operationInProgress } from '../repository/find-work-tree.ts';
import { inLandingTurn, ownChange } from '../repository/own-change.ts';
import { checkedOutIn } from '../repository/refs.ts';
import { type ComputedLine, type Open, seenRef, uncommittedRef } from './compute-line.ts';
import { hiddenPaths, pathsInTheWay } from './in-the-way.ts';
import {
  beginLanding,
  bringForward,
  endLanding,
  type LandingStep,
  landingFolder,
  landingId,
  type Plan,
  readyFiles,
} from './landing.ts';
import { pathsBetween, reverted } from './replay.ts';
import { refsOf } from './results.ts';

/** A line's repository. `commits`: false with `[git] commit = "never"`. */
export type LineSite = { readonly tree: WorkTree; readonly commits: boolean };

export type LookNow = ComputedLine & {
  readonly ref: string;
  /** Whether results land on a branch of ralph's instead of the checked-out one. */
  readonly isTarget: boolean;
  /** Whether the ref was checked out at this look. */
  readonly here: boolean;
  readonly isGone: boolean;
};

export type Asked = {
  readonly isGreen: (tree: string, commit: string) => Promise<boolean>;
  readonly isHeld: (taskId: string) => boolean;
  readonly refusal: FindRefusal | undefined;
  /** Whether a signature timed out, so that no other one is tried. */
  readonly isSignerAway: boolean;
};

type Waits = {
  readonly kind: 'waits';
  readonly waiting: LandingWaits;
  /** Whether a signature timed out now. */
  readonly isSignerAway?: boolean;
};

export type Step =
  | { readonly kind: 'landed'; readonly landed: Landed['landed'] }
  | { readonly kind: 'back'; readonly result: ResultId }
  | Waits
  | { readonly kind: 'again' };

export function waits(why: LandingWaits['why'], reason: string, paths: LandingWaits['paths'] = []): Waits {
  return { kind: 'waits', waiting: { why, reason, paths } };
}

export const GIT_WORKS = waits('git_works', 'git is at work in your checkout');

function yourChange(way: Iterable<BytePath>): Waits {
  return waits('your_change', 'you changed what it changes, too', [...way].map(printPath));
}

/** Returns the branch's short name; `null` when HEAD is detached. */
export function branchOf({ ref }: { readonly ref: string }): string | null {
  return ref === 'HEAD' ? null : ref.replace(/^refs\/heads\//, '');
}

/** Returns the results that may land now, from the start of the line to the first that is held back or was refused. */
export function landable(
  { chain, held }: Pick<ComputedLine, 'chain' | 'held'>,
  isHeld: (taskId: string) => boolean,
): readonly Open[] {
  const first = chain.findIndex(
    ({ result }, at) => at > 0 && (held.has(result.name) || isHeld(result.taskId)),
  );
  return first === -1 ? chain : chain.slice(0, first);
}

/** Lands as many results from the start of the line as are free and green. */
export async function landOnce(site: LineSite, now: LookNow, asked: Asked): Promise<Step> {
  const { tree } = site;
  const obstacle = await obstacleTo(site, now);
  if (obstacle !== null) return obstacle;
  const isCheckedOut = await isHere(tree, now);
  const [next] = now.chain;
  if (next === undefined) return { kind: 'again' };
  const { name, held, message, taskId } = next.result;
  if (asked.isHeld(taskId)) {
    const { kind, waiting } = waits('held', `you hold ${taskId} back`);
    return { kind, waiting: { ...waiting, heldBy: taskId } };
  }
  if (now.held.has(name)) {
    const base = {
      commit: now.tip,
      tree: await treeOf(tree, now.tip),
      branch: branchOf(now),
      taskId: null,
    };
    const { refusal } = asked;
    const why = refusal === undefined ? held : await refusal({ base, tree: next.tree, message });
    if (why !== null) return waits('hook', why);
    await updateRefs(tree, [`delete ${refsOf(tree)}/held/${name}`]);
  }
  const free = await freeOf(site, { ...now, chain: landable(now, asked.isHeld) }, isCheckedOut);
  const last = free.members.at(-1);
  if (last === undefined) return yourChange(free.way);
  if (!(await asked.isGreen(last.tree, last.at))) return redOf(tree, now, free.members, asked);
  try {
    return await bringMembers(site, now, free.members, { isCheckedOut, ...asked });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const what = error.message.replace(/\.$/, '');
    return waits('failed', `landing it failed, and your branch, index and files are as they were: ${what}`);
  }
}

async function isHere(tree: WorkTree, { ref, isTarget }: LookNow): Promise<boolean> {
  return !isTarget && (await headRef(tree)) === ref;
}

async function obstacleTo({ tree, commits }: LineSite, now: LookNow): Promise<Waits | null> {
  if (now.isGone) return waits('no_branch', 'its branch is gone');
  const operation = now.isTarget ? null : operationInProgress(tree.gitDir);
  if (operation !== null) return waits('operation', `${operation.what} is in progress`);
  // Index changes of this process are waited for.
  if (!now.isTarget && (await inLandingTurn(tree, async () => isIndexLocked(tree)))) return GIT_WORKS;
  if (now.stashed !== null) return waits('stash', `what ${now.stashed} changed lies in your stash`);
  if (await isHere(tree, now)) return null;
  if (!commits) return waits('elsewhere', 'another branch is checked out');
  const place = await checkedOutIn(tree, now.ref);
  return place === null ? null : waits('elsewhere', `its branch is checked out in ${place}`);
}

/** Returns the results from the start that the user's changes don't block, and what blocks the first. */
async function freeOf(
  { tree, commits }: LineSite,
  { checkoutBase, chain }: ComputedLine,
  isCheckedOut: boolean,
): Promise<{ readonly members: readonly Open[]; readonly way: ReadonlySet<BytePath> }> {
  let way: ReadonlySet<BytePath> = new Set();
  if (!isCheckedOut) return { members: chain, way };
  for (let count = chain.length; count > 0; count -= 1) {
    const changes = await changesFromHead(tree, checkoutBase, chain[count - 1]?.at ?? checkoutBase);
    way = await pathsInTheWay(tree, changes, commits);
    if (way.size === 0) return { members: chain.slice(0, count), way };
  }
  return { members: [], way };
}

async function redOf(
  tree: WorkTree,
  { checkoutBase }: ComputedLine,
  members: readonly Open[],
  { isGreen }: Pick<Asked, 'isGreen'>,
): Promise<Step> {
  if (!(await isGreen(await treeOf(tree, checkoutBase), checkoutBase)))
    return waits('red', 'your branch is red without it');
  for (const { result, tree: id, at } of members) {
    if (await isGreen(id, at)) continue;
    const { name, commit, taskId, number } = result;
    await updateRefs(tree, [`update ${refsOf(tree)}/superseded/${name} ${commit}`]);
    return { kind: 'back', result: { taskId, number } };
  }
  return { kind: 'again' };
}

type Bringing = Pick<Asked, 'isSignerAway'> & { readonly isCheckedOut: boolean };

async function bringMembers(
  site: LineSite,
  now: LookNow,
  members: readonly Open[],
  { isCheckedOut, isSignerAway }: Bringing,
): Promise<Step> {
  const { tree } = site;
  const signed = isSignerAway ? { commits: null, isAway: true } : await signedChain(site, members);
  const { commits } = signed;
  if (commits === null)
    return { ...waits('signing', 'its commit could not be signed'), isSignerAway: signed.isAway };
  const marks = members.map(
    ({ result }, at) => `update ${refsOf(tree)}/landed/${result.name} ${commits[at]}`,
  );
  const to = commits.at(-1) ?? now.checkoutBase;
  const brought = await bring(site, now, { to, marks, isCheckedOut });
  if (brought.kind === 'git_works') return GIT_WORKS;
  if (brought.kind !== 'landed') return { kind: 'again' };
  const landed = members.map(async ({ result: { taskId, number, parent, commit } }, at) => ({
    taskId,
    number,
    commit: commits[at] ?? commit,
    paths: (await pathsBetween(tree, parent, commit)).map(printPath),
  }));
  return { kind: 'landed', landed: await Promise.all(landed) };
}

/**
 * Returns the line's commits, signed when the user signs. `commits`: `null` when signing failed; `isAway`: whether it
 * timed out, because the PIN isn't entered.
 */
async function signedChain(
  { tree, commits }: LineSite,
  members: readonly Open[],
): Promise<{ readonly commits: readonly string[] | null; readonly isAway: boolean }> {
  const limit = commits ? await signingLimit(tree) : null;
  if (limit === null) return { commits: members.map(({ at }) => at), isAway: false };
  const made: string[] = [];
  const end = Date.now() + limit;
  const objects = await objectsOf(tree);
  for (const { at } of members) {
    const parent = made.at(-1) ?? (await revision(tree, `${at}^`)) ?? '';
    const { tree: treeId = '', message, date = 0 } = (await objects.commit(at)) ?? {};
    const how = { date, limitMs: Math.max(end - Date.now(), 1) };
    const signing = message == null ? null : makeSignedCommit(tree, treeId, [parent], message, how);
    const commit = await signing?.catch(() => null);
    if (commit == null) return { commits: null, isAway: Date.now() >= end };
    made.push(commit);
  }
  return { commits: made, isAway: false };
}

/** A move of the line's branch. `marks`: lines of `git update-ref --stdin` that go with it. */
type Move = { readonly to: string; readonly marks: readonly string[]; readonly isCheckedOut: boolean };

/** Returns the updates of refs that move a line, in the form of `git update-ref --stdin`. */
export function updatesOf(
  { tree, commits }: LineSite,
  { ref, tip }: Pick<LookNow, 'ref' | 'tip'>,
  { to, marks }: Pick<Move, 'to' | 'marks'>,
  isNew: boolean,
): string[] {
  const detached = ref === 'HEAD' ? ['option no-deref'] : [];
  if (!commits) return [...detached, `update ${uncommittedRef(tree, ref)} ${to}`, ...marks];
  const moved = isNew ? `create ${ref} ${to}` : `update ${ref} ${to} ${tip}`;
  return [...detached, moved, `update ${seenRef(tree, ref)} ${to}`, ...marks];
}

async function planOf(site: LineSite, now: LookNow, move: Move): Promise<Plan> {
  const { tree, commits } = site;
  const { ref, tip, checkoutBase } = now;
  const { to, isCheckedOut } = move;
  const changes = await changesFromHead(tree, checkoutBase, to);
  const hidden = isCheckedOut ? await hiddenPaths(tree) : new Set<BytePath>();
  const isNew = now.isTarget && (await revision(tree, ref)) === null;
  return {
    ...landingId(),
    updates: updatesOf(site, now, move, isNew),
    ref,
    from: commits ? tip : checkoutBase,
    to,
    isHere: isCheckedOut,
    withIndex: isCheckedOut && commits,
    files: isCheckedOut ? await readyFiles(tree, to, changes, (path) => hidden.has(path)) : [],
  };
}

async function bring(site: LineSite, now: LookNow, move: Move): Promise<LandingStep> {
  const { tree } = site;
  const plan = await asGitError(landingFolder(tree), () => planOf(site, now, move));
  return ownChange(tree, () => asGitError(landingFolder(tree), () => bringNow(site, now, plan)));
}

async function bringNow({ tree, commits }: LineSite, now: LookNow, plan: Plan): Promise<LandingStep> {
  if (!plan.isHere) return { kind: (await moveRefs(tree, plan.updates)) ? 'landed' : 'moved' };
  if (!beginLanding(tree, plan)) return { kind: 'git_works' };
  let isFree = false;
  try {
    // The index lock keeps the user's git from staging or committing, so this check stays valid.
    const isStill = (await isHere(tree, now)) && (await revision(tree, now.ref)) === now.tip;
    const changes = await changesFromHead(tree, now.checkoutBase, plan.to);
    isFree = isStill && (await pathsInTheWay(tree, changes, commits)).size === 0;
  } finally {
    if (!isFree) endLanding(tree);
  }
  return isFree ? bringForward(tree, plan, false) : { kind: 'moved' };
}

/** Reverts the results of tasks that are on the line, newest first. `only`: number of the one to revert. */
export async function revertResults(
  site: LineSite,
  now: LookNow | null,
  taskIds: readonly string[],
  only?: number,
): Promise<Reverted> {
  if (now === null) return { kind: 'reverted', results: [], paths: [] };
  const { tree, commits } = site;
  const obstacle = await obstacleTo(site, now);
  if (obstacle !== null) return obstacle;
  const wanted = now.results.filter(
    ({ taskId, number, status: { kind } }) =>
      taskIds.includes(taskId) &&
      (only === undefined || number === only) &&
      (kind === 'open' || kind === 'landed'),
  );
  const refs = refsOf(tree);
  const results: { taskId: string; number: number; commit: string | null }[] = [];
  const updates: string[] = [];
  let acc = now.tip;
  for (const { taskId, number, commit, status, name } of wanted.toReversed()) {
    updates.push(`update ${refs}/withdrawn/${name} ${commit}`);
    if (status.kind !== 'landed') {
      updates.push(`update ${refs}/landed/${name} ${now.tip}`);
      results.push({ taskId, number, commit: null });
      continue;
    }
    if (!commits)
      return waits(
        'uncommitted',
        `${taskId} landed without a commit: undo its change in your work tree yourself`,
      );
    const made = await reverted(tree, status.commit, acc);
    if (made === null) {
      const paths = await pathsBetween(tree, `${status.commit}^`, status.commit);
      return waits('your_change', `what ${taskId} changed was changed again since`, paths.map(printPath));
    }
    results.push({ taskId, number, commit: made === acc ? null : made });
    acc = made;
  }
  if (updates.length === 0) return { kind: 'reverted', results, paths: [] };
  const isCheckedOut = await isHere(tree, now);
  const changes = await changesFromHead(tree, now.tip, acc);
  const way = isCheckedOut ? await pathsInTheWay(tree, changes, commits) : new Set<BytePath>();
  if (way.size > 0) return yourChange(way);
  if (acc === now.tip) await updateRefs(tree, updates);
  else if ((await bring(site, now, { to: acc, marks: updates, isCheckedOut })).kind !== 'landed')
    return GIT_WORKS;
  return { kind: 'reverted', results, paths: changes.map(({ path }) => printPath(path)) };
}
