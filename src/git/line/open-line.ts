import { setImmediate as giveWay } from 'node:timers/promises';
import {
  type CurrentLine,
  type FindRefusal,
  GitError,
  type KnownResult,
  type Landed,
  type LandedResult,
  type LandingWaits,
  type Line,
  type ResultId,
  type Reverted,
} from '../../domain/ports.ts';
import { objectGit, objectText } from '../call/git.ts';
import { type BytePath, printPath } from '../call/git-path.ts';
import { isIndexLocked } from '../call/index-lock.ts';
import { asGitError } from '../call/run-git.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { changesFromHead } from '../diff/diff.ts';
import { objectsOf } from '../objects/door.ts';
import { makeCommit, makeSignedCommit, signingLimit } from '../objects/make-commit.ts';
import { headRef, isReachable, moveRefs, revision, treeOf, updateRefs } from '../objects/questions.ts';
import { operationInProgress } from '../repository/find-work-tree.ts';
import { inLandingTurn, ownChange } from '../repository/own-change.ts';
import { checkedOutIn } from '../repository/refs.ts';
import { removeFromArchive } from './archive.ts';
import { type ComputedLine, computeLine, type Open, seenRef, uncommittedRef } from './compute-line.ts';
import { filesAsIn, hiddenPaths, pathsInTheWay } from './in-the-way.ts';
import { lineState, readLine } from './known-line.ts';
import {
  beginLanding,
  bringForward,
  endLanding,
  type LandingStep,
  landingFolder,
  landingId,
  type Plan,
  readyFiles,
  recoverLanding,
} from './landing.ts';
import { mergedButLocks, pathsBetween, reverted } from './replay.ts';
import { encoded, type KeptResult, messageOf, refsOf, storeResultData } from './results.ts';

export type LineOptions = {
  /** False with `[git] commit = "never"`. */
  readonly commits: boolean;
};

type LookNow = ComputedLine & { readonly ref: string; readonly here: boolean; readonly isGone: boolean };

/** The branch may move while a landing is prepared. */
const TRIES = 5;
/** Number of commits searched for the one that broke the line, when its last green one is unknown. */
const NEWEST = 50;

export function openLine(tree: WorkTree, { commits }: LineOptions): Line {
  /** Short name of a branch of ralph's where results land, leaving the checkout alone; `null`: the checked-out one. */
  let target: string | null = null;
  /** Commit that a new target branch starts from. */
  let start: string | null = null;
  /** Ref checked out at this process's first look; later switches don't matter. */
  let ref: string | null = null;
  let last: { readonly state: string; readonly line: ComputedLine } | null = null;
  /** A signature timed out: the PIN isn't entered, and no other result of this process waits for it. */
  let isSignerAway = false;
  /** Results found withdrawn since the last landing. */
  const withdrawn: ResultId[] = [];
  const lineRef = async () => {
    ref ??= target === null ? await headRef(tree) : `refs/heads/${target}`;
    return ref;
  };
  const isHere = async () => target === null && (await headRef(tree)) === (await lineRef());

  const lookNow = async (): Promise<LookNow | null> => {
    await recoverLanding(tree);
    const onto = await lineRef();
    const own = await revision(tree, onto);
    const first = own === null && target !== null ? (start ?? (await revision(tree, 'HEAD'))) : null;
    const seen = own === null ? await revision(tree, seenRef(tree, onto)) : null;
    const tip = own ?? first ?? seen;
    if (tip === null) return null;
    const isCheckedOut = await isHere();
    const isAsIn = async (commit: string, paths: readonly string[]) =>
      isCheckedOut ? filesAsIn(tree, commit, paths) : new Set<string>();
    // A look without news starts no process: repeated looks would otherwise block the event loop.
    await giveWay();
    const state = await lineState(tree, [onto, tip, isCheckedOut]);
    const known = last?.state === state ? last.line : null;
    const now = known ?? (await computeLine(tree, { ref: onto, tip, commits, isAsIn }));
    // Uncommitted work is in files, which refs don't show.
    last = commits && now.isSettled ? { state, line: now } : null;
    if (known === null) withdrawn.push(...now.withdrawn);
    return { ...now, ref: onto, here: isCheckedOut, isGone: own === null && first === null };
  };

  const keeping = (
    one: KeptResult,
    kept: readonly KeptResult[],
    landed: ReadonlyMap<string, string>,
  ): string[] => {
    const refs = refsOf(tree);
    const old = kept.filter(({ taskId, name }) => taskId === one.taskId && !landed.has(name));
    return [
      `create ${refs}/results/${one.name} ${one.commit}`,
      `delete ${refs}/prepared/${one.name}`,
      ...(one.held === null ? [] : [`create ${refs}/held/${one.name} ${one.commit}`]),
      ...old.map(({ name, commit }) => `update ${refs}/superseded/${name} ${commit}`),
    ];
  };

  return {
    current: async () => {
      const now = await lookNow();
      if (now === null) return null;
      return shownOf(now);
    },

    join: async ({ parent, tree: treeId }) => {
      const now = await lookNow();
      if (now === null) return null;
      const shown = shownOf(now);
      if (now.commit === parent) return { line: shown, tree: treeId, paths: [], taskIds: [], locks: [] };
      const sides = { base: parent, onto: now.commit, change: treeId };
      const { tree: joined, locks } = await mergedButLocks(tree, sides);
      if (joined !== null) {
        const contested = locks.map(async (path) => ({
          path: printPath(path),
          taskIds: await tasksSince(now, parent, new Set([path])),
        }));
        const taskIds = await tasksSince(now, parent);
        return { line: shown, tree: joined, paths: [], taskIds, locks: await Promise.all(contested) };
      }
      const own = await pathsBetween(tree, parent, treeId);
      const others = new Set(await pathsBetween(tree, parent, now.commit));
      const shared = own.filter((path) => others.has(path));
      const taskIds = await tasksSince(now, parent, shared.length === 0 ? undefined : new Set(shared));
      // A file that conflicts with a folder shares no path.
      const paths = (shared.length === 0 ? own : shared).map(printPath);
      return { line: shown, tree: null, paths, taskIds, locks: [] };
    },

    prepare: async ({ taskId, parent, tree: treeId, message, needs, refusalReason }) => {
      const { keptResults, prepared } = await readLine(tree);
      const all = [...keptResults, ...prepared];
      const own = all.filter((one) => one.taskId === taskId);
      const number = Math.max(0, ...own.map((one) => one.number)) + 1;
      const name = `${encoded(taskId)}/${number}`;
      const order = Math.max(0, ...all.map((one) => one.order)) + 1;
      const text = messageOf({ taskId, name }, message);
      // Without commits, git needn't know the user.
      const commit = await makeCommit(tree, treeId, [parent], text, { who: commits ? 'user' : 'ralph' });
      const about = await storeResultData(tree, {
        taskId,
        order,
        ref: await lineRef(),
        needs: [...needs],
        held: refusalReason,
      });
      const refs = refsOf(tree);
      await updateRefs(tree, [
        `create ${refs}/prepared/${name} ${commit}`,
        `create ${refs}/about/${name} ${about}`,
      ]);
      return { taskId, number };
    },

    keep: async ({ taskId, number }) => {
      const { keptResults, prepared, marks } = await readLine(tree);
      const one = prepared.find((other) => other.taskId === taskId && other.number === number);
      if (one === undefined) throw new GitError(`Nothing of ${taskId} is ready to be kept.`);
      await updateRefs(tree, keeping(one, keptResults, marks.landed));
    },

    keepPrepared: async (isVerified) => {
      const { keptResults, prepared, marks } = await readLine(tree);
      const refs = refsOf(tree);
      await updateRefs(
        tree,
        prepared.flatMap((one) =>
          isVerified(one.taskId)
            ? keeping(one, keptResults, marks.landed)
            : [`delete ${refs}/prepared/${one.name}`, `delete ${refs}/about/${one.name}`],
        ),
      );
    },

    land: async (isGreen, isHeld = () => false, refusal = undefined) => {
      const landed: LandedResult[] = [];
      const returned: ResultId[] = [];
      for (let tries = 1; ; tries += 1) {
        const now = await lookNow();
        const end = (waiting: LandingWaits | null): Landed => ({
          landed,
          waiting,
          returned,
          conflicting: conflictsOf(now),
          withdrawn: withdrawn.splice(0),
        });
        if (now === null || now.chain.length === 0) return end(null);
        const step = await landOnce(now, isGreen, isHeld, refusal);
        if (step.kind === 'landed') landed.push(...step.landed);
        else if (step.kind === 'back') returned.push(step.result);
        else if (step.kind === 'waits') return end(step.waiting);
        else if (tries >= TRIES) return end(waits('git_works', 'git is at work in your checkout'));
      }
    },

    revert: revertResults,

    since: async (commit) => {
      const now = await lookNow();
      if (now === null || now.commit === commit) return [];
      const results = new Map<string, ResultId>();
      for (const { taskId, number, status } of now.results)
        if (status.kind === 'landed') results.set(status.commit, { taskId, number });
      for (const { at, result } of now.chain)
        results.set(at, { taskId: result.taskId, number: result.number });
      const range = commit === null ? ['-n', `${NEWEST}`] : [`^${commit}`];
      const args = ['log', '--first-parent', '--format=%H %T', now.commit, ...range];
      const lines = (await objectText(tree, args)).split('\n').filter(Boolean);
      const listed = lines.map((line) => line.split(' ') as [string, string]);
      const first = commit === null ? null : await treeOf(tree, commit);
      return listed.flatMap(([id, made], at) => {
        const parentTree = listed[at + 1]?.[1] ?? first;
        return parentTree === null
          ? []
          : [{ commit: id, tree: made, parentTree, result: results.get(id) ?? null }];
      });
    },

    onto: async (branch) => {
      const valid = await objectGit(tree, ['check-ref-format', `refs/heads/${branch}`], { answers: [1] });
      if (valid.code !== 0 || branch.startsWith('-')) return false;
      start = (ref === null ? null : await revision(tree, ref)) ?? start;
      target = branch;
      ref = null;
      return true;
    },

    changeOf: async ({ taskId, number }) => {
      const { keptResults } = await readLine(tree);
      const one = keptResults.find((other) => other.taskId === taskId && other.number === number);
      return one === undefined ? null : { base: await treeOf(tree, one.parent), tree: one.tree };
    },

    reopen: async (taskId) => {
      const { keptResults, marks, archived } = await readLine(tree);
      const newest = keptResults.findLast((one) => one.taskId === taskId);
      if (newest === undefined) return false;
      const put = archived.get(newest.name);
      // A result that has landed long ago stands in a note instead of having a ref of its own.
      const isPut = (landed: ReadonlyMap<string, string>) => landed.get(newest.name) === put?.landed;
      const updates = Object.entries(marks)
        .filter(([mark, names]) => names.has(newest.name) && !(mark === 'landed' && isPut(names)))
        .map(([mark]) => `delete ${refsOf(tree)}/${mark}/${newest.name}`);
      await updateRefs(tree, [...updates, ...(put === undefined ? [] : await removeFromArchive(tree, put))]);
      return true;
    },
  };

  /** Returns tasks whose results joined the line since a commit and changed one of these paths (absent: any). */
  async function tasksSince(
    { results, chain }: ComputedLine,
    parent: string,
    paths?: ReadonlySet<string>,
  ): Promise<string[]> {
    const tasks = new Set<string>();
    for (const { name, taskId, status } of results) {
      const open = chain.find(({ result }) => result.name === name)?.at;
      const at = status.kind === 'landed' ? status.commit : open;
      if (at === undefined || (await isReachable(tree, at, parent))) continue;
      const isNamed = (path: string) => paths === undefined || paths.has(path);
      if ((await pathsBetween(tree, `${at}^`, at)).some(isNamed)) tasks.add(taskId);
    }
    return [...tasks];
  }

  type Step =
    | { readonly kind: 'landed'; readonly landed: Landed['landed'] }
    | { readonly kind: 'back'; readonly result: Pick<KnownResult, 'taskId' | 'number'> }
    | { readonly kind: 'waits'; readonly waiting: LandingWaits }
    | { readonly kind: 'again' };

  /** Lands as many results from the start of the line as are free and green. */
  async function landOnce(
    now: LookNow,
    isGreen: (tree: string, commit: string) => Promise<boolean>,
    isHeld: (taskId: string) => boolean,
    refusal: FindRefusal | undefined,
  ): Promise<Step> {
    const obstacle = await obstacleTo(now);
    if (obstacle !== null) return { kind: 'waits', waiting: obstacle };
    const isCheckedOut = await isHere();
    const [next] = now.chain;
    if (next !== undefined && isHeld(next.result.taskId)) {
      const { taskId } = next.result;
      return { kind: 'waits', waiting: { ...waits('held', `you hold ${taskId} back`), heldBy: taskId } };
    }
    if (next !== undefined && now.held.has(next.result.name)) {
      const { name, held, message } = next.result;
      const base = {
        commit: now.tip,
        tree: await treeOf(tree, now.tip),
        branch: branchOf(now),
        taskId: null,
      };
      const why = refusal === undefined ? held : await refusal({ base, tree: next.tree, message });
      if (why !== null) return { kind: 'waits', waiting: waits('hook', why) };
      await updateRefs(tree, [`delete ${refsOf(tree)}/held/${name}`]);
    }
    const first = now.chain.findIndex(
      ({ result }, at) => at > 0 && (now.held.has(result.name) || isHeld(result.taskId)),
    );
    const chain = first === -1 ? now.chain : now.chain.slice(0, first);
    const free = await freeOf({ ...now, chain }, isCheckedOut);
    if (free.count === 0) {
      const reason = 'you changed what it changes, too';
      return { kind: 'waits', waiting: waits('your_change', reason, free.way) };
    }
    const members = now.chain.slice(0, free.count);
    const last = members.at(-1);
    if (last === undefined) return { kind: 'again' };
    if (!(await isGreen(last.tree, last.at))) return redOf(now, members, isGreen);
    try {
      return await bringMembers(now, members, isCheckedOut);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      const what = error.message.replace(/\.$/, '');
      const reason = `landing it failed, and your branch, index and files are as they were: ${what}`;
      return { kind: 'waits', waiting: waits('failed', reason) };
    }
  }

  async function bringMembers(now: LookNow, members: readonly Open[], here: boolean): Promise<Step> {
    const ready = await asGitError(landingFolder(tree), () => planOf(now, members, here));
    if ('waiting' in ready) return { kind: 'waits', waiting: ready.waiting };
    const { plan, signed } = ready;
    const brought = await bring(now, plan, here);
    switch (brought.kind) {
      case 'landed':
        return { kind: 'landed', landed: await landedOf(members, signed) };
      case 'git_works':
        return { kind: 'waits', waiting: waits('git_works', 'git is at work in your checkout') };
      default:
        return { kind: 'again' };
    }
  }

  async function obstacleTo(now: ComputedLine & { readonly isGone: boolean }): Promise<LandingWaits | null> {
    if (now.isGone) return waits('no_branch', 'its branch is gone');
    const operation = target === null ? operationInProgress(tree.gitDir) : null;
    if (operation !== null) return waits('operation', `${operation.what} is in progress`);
    // Index changes of this process are waited for.
    if (target === null && (await inLandingTurn(tree, async () => isIndexLocked(tree))))
      return waits('git_works', 'git is at work in your checkout');
    if (now.stashed !== null) return waits('stash', `what ${now.stashed} changed lies in your stash`);
    if (await isHere()) return null;
    if (!commits) return waits('elsewhere', 'another branch is checked out');
    const place = await checkedOutIn(tree, await lineRef());
    return place === null ? null : waits('elsewhere', `its branch is checked out in ${place}`);
  }

  /** Returns how many results from the start aren't blocked by the user's changes, and what blocks the first. */
  async function freeOf(
    { checkoutBase, chain }: ComputedLine,
    here: boolean,
  ): Promise<{ readonly count: number; readonly way: readonly string[] }> {
    if (!here) return { count: chain.length, way: [] };
    let first: readonly string[] = [];
    for (let count = chain.length; count > 0; count -= 1) {
      const changes = await changesFromHead(tree, checkoutBase, chain[count - 1]?.at ?? checkoutBase);
      const way = await pathsInTheWay(tree, changes, commits);
      if (way.size === 0) return { count, way: [] };
      first = [...way].map(printPath);
    }
    return { count: 0, way: first };
  }

  async function redOf(
    { checkoutBase }: ComputedLine,
    members: readonly Open[],
    isGreen: (tree: string, commit: string) => Promise<boolean>,
  ): Promise<Step> {
    if (!(await isGreen(await treeOf(tree, checkoutBase), checkoutBase)))
      return { kind: 'waits', waiting: waits('red', 'your branch is red without it') };
    for (const { result, tree: id, at } of members) {
      if (await isGreen(id, at)) continue;
      const { name, commit, taskId, number } = result;
      await updateRefs(tree, [`update ${refsOf(tree)}/superseded/${name} ${commit}`]);
      return { kind: 'back', result: { taskId, number } };
    }
    return { kind: 'again' };
  }

  async function revertResults(taskIds: readonly string[], only?: number): Promise<Reverted> {
    const now = await lookNow();
    if (now === null) return { kind: 'reverted', results: [], paths: [] };
    const obstacle = await obstacleTo(now);
    if (obstacle !== null) return { kind: 'waits', waiting: obstacle };
    const wanted = now.results
      .filter(
        ({ taskId, number, status: { kind } }) =>
          taskIds.includes(taskId) &&
          (only === undefined || number === only) &&
          (kind === 'open' || kind === 'landed'),
      )
      .toReversed();
    const refs = refsOf(tree);
    const results: { taskId: string; number: number; commit: string | null }[] = [];
    const updates: string[] = [];
    let acc = now.tip;
    for (const { taskId, number, commit, status, name } of wanted) {
      updates.push(`update ${refs}/withdrawn/${name} ${commit}`);
      if (status.kind !== 'landed') {
        updates.push(`update ${refs}/landed/${name} ${now.tip}`);
        results.push({ taskId, number, commit: null });
        continue;
      }
      if (!commits) {
        const reason = `${taskId} landed without a commit: undo its change in your work tree yourself`;
        return { kind: 'waits', waiting: waits('uncommitted', reason) };
      }
      const made = await reverted(tree, status.commit, acc);
      if (made === null) {
        const paths = (await pathsBetween(tree, `${status.commit}^`, status.commit)).map(printPath);
        const reason = `what ${taskId} changed was changed again since`;
        return { kind: 'waits', waiting: waits('your_change', reason, paths) };
      }
      results.push({ taskId, number, commit: made === acc ? null : made });
      acc = made;
    }
    if (updates.length === 0) return { kind: 'reverted', results, paths: [] };
    const isCheckedOut = await isHere();
    const changes = await changesFromHead(tree, now.tip, acc);
    const way = isCheckedOut ? await pathsInTheWay(tree, changes, commits) : new Set<BytePath>();
    if (way.size > 0) {
      const reason = 'you changed what it changes, too';
      return { kind: 'waits', waiting: waits('your_change', reason, [...way].map(printPath)) };
    }
    if (acc === now.tip) await updateRefs(tree, updates);
    else {
      const brought = await bring(now, await planTo(now, acc, updates, isCheckedOut), isCheckedOut);
      if (brought.kind !== 'landed')
        return { kind: 'waits', waiting: waits('git_works', 'git is at work in your checkout') };
    }
    return { kind: 'reverted', results, paths: changes.map(({ path }) => printPath(path)) };
  }

  type Ready =
    | { readonly plan: Plan; readonly signed: readonly string[] }
    | { readonly waiting: LandingWaits };

  async function planOf(
    now: ComputedLine & { readonly ref: string },
    members: readonly Open[],
    isCheckedOut: boolean,
  ): Promise<Ready> {
    const signed = await signedChain(members);
    if (signed === null) return { waiting: waits('signing', 'its commit could not be signed') };
    const refs = refsOf(tree);
    const marks = members.map(({ result }, at) => `update ${refs}/landed/${result.name} ${signed[at]}`);
    return { signed, plan: await planTo(now, signed.at(-1) ?? now.checkoutBase, marks, isCheckedOut) };
  }

  async function planTo(
    { ref: onto, tip, checkoutBase }: ComputedLine & { readonly ref: string },
    to: string,
    marks: readonly string[],
    isCheckedOut: boolean,
  ): Promise<Plan> {
    const changes = await changesFromHead(tree, checkoutBase, to);
    const hidden = isCheckedOut ? await hiddenPaths(tree) : new Set<BytePath>();
    const isNew = target !== null && (await revision(tree, onto)) === null;
    const moves = commits
      ? [
          isNew ? `create ${onto} ${to}` : `update ${onto} ${to} ${tip}`,
          `update ${seenRef(tree, onto)} ${to}`,
        ]
      : [`update ${uncommittedRef(tree, onto)} ${to}`];
    return {
      ...landingId(),
      updates: [...(onto === 'HEAD' ? ['option no-deref'] : []), ...moves, ...marks],
      ref: onto,
      from: commits ? tip : checkoutBase,
      to,
      isHere: isCheckedOut,
      withIndex: isCheckedOut && commits,
      files: isCheckedOut ? await readyFiles(tree, to, changes, (path) => hidden.has(path)) : [],
    };
  }

  /** Returns the line's commits, signed when the user signs; `null` when signing failed. */
  async function signedChain(members: readonly Open[]): Promise<string[] | null> {
    const limit = commits ? await signingLimit(tree) : null;
    if (limit === null) return members.map(({ at }) => at);
    if (isSignerAway) return null;
    const newCommits: string[] = [];
    const end = Date.now() + limit;
    for (const { at } of members) {
      const parent = newCommits.at(-1) ?? (await revision(tree, `${at}^`)) ?? '';
      const commit = await signCommit(at, parent, end - Date.now());
      if (commit === null) {
        isSignerAway = Date.now() >= end;
        return null;
      }
      newCommits.push(commit);
    }
    return newCommits;
  }

  async function signCommit(at: string, parent: string, leftMs: number): Promise<string | null> {
    const made = await (await objectsOf(tree)).commit(at);
    if (made?.message == null) return null;
    const how = { date: made.date, limitMs: Math.max(leftMs, 1) };
    return makeSignedCommit(tree, made.tree, [parent], made.message, how).catch(() => null);
  }

  async function bring(
    now: ComputedLine & { readonly ref: string },
    plan: Plan,
    here: boolean,
  ): Promise<LandingStep> {
    return ownChange(tree, () => asGitError(landingFolder(tree), () => bringNow(now, plan, here)));
  }

  async function bringNow(
    now: ComputedLine & { readonly ref: string },
    plan: Plan,
    here: boolean,
  ): Promise<LandingStep> {
    if (!here) return { kind: (await moveRefs(tree, plan.updates)) ? 'landed' : 'moved' };
    if (!beginLanding(tree, plan)) return { kind: 'git_works' };
    let isFree = false;
    try {
      // The index lock keeps the user's git from staging or committing, so this check stays valid.
      const isStill = (await isHere()) && (await revision(tree, now.ref)) === now.tip;
      const changes = await changesFromHead(tree, now.checkoutBase, plan.to);
      isFree = isStill && (await pathsInTheWay(tree, changes, commits)).size === 0;
    } finally {
      if (!isFree) endLanding(tree);
    }
    return isFree ? bringForward(tree, plan, false) : { kind: 'moved' };
  }

  async function landedOf(members: readonly Open[], signed: readonly string[]): Promise<Landed['landed']> {
    return Promise.all(
      members.map(async ({ result: { taskId, number, parent, commit } }, at) => ({
        taskId,
        number,
        commit: signed[at] ?? commit,
        paths: (await changesFromHead(tree, parent, commit)).map(({ path }) => printPath(path)),
      })),
    );
  }
}

function shownOf(now: LookNow): CurrentLine {
  const { tip, commit, tree, results, here } = now;
  return { tip, commit, tree, results, branch: branchOf(now), isHere: here };
}

/** Returns the branch's short name; `null` when HEAD is detached. */
function branchOf({ ref }: { readonly ref: string }): string | null {
  return ref === 'HEAD' ? null : ref.replace(/^refs\/heads\//, '');
}

function conflictsOf(now: ComputedLine | null): Landed['conflicting'] {
  return (now?.results ?? []).flatMap(({ taskId, number, status }) =>
    status.kind === 'conflicting' && status.needs === null ? [{ taskId, number, paths: status.paths }] : [],
  );
}

function waits(why: LandingWaits['why'], reason: string, paths: LandingWaits['paths'] = []): LandingWaits {
  return { why, reason, paths };
}
