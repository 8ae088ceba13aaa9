import { setImmediate as giveWay } from 'node:timers/promises';
import {
  type CurrentLine,
  GitError,
  type Joined,
  type Landed,
  type LandedResult,
  type LandingWaits,
  type Line,
  type LineCommit,
  type NewResult,
  type ResultId,
} from '../../domain/ports.ts';
import { objectGit, objectText } from '../call/git.ts';
import { printPath } from '../call/git-path.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { makeCommit } from '../objects/make-commit.ts';
import { headRef, isReachable, revision, treeOf, updateRefs } from '../objects/questions.ts';
import { removeFromArchive } from './archive.ts';
import { type ComputedLine, computeLine, seenRef } from './compute-line.ts';
import { filesAsIn } from './in-the-way.ts';
import { type KnownLine, lineState, readLine } from './known-line.ts';
import { branchOf, GIT_WORKS, type LineSite, type LookNow, landOnce, revertResults } from './land-results.ts';
import { recoverLanding } from './landing.ts';
import { conflictingPaths, mergedButLocks, pathsBetween } from './replay.ts';
import { encoded, type KeptResult, messageOf, refsOf, storeResultData } from './results.ts';

export type LineOptions = Pick<LineSite, 'commits'>;

/** What this process remembers of a line from one call to the next. */
export type LineMemory = {
  /** Short name of a branch of ralph's where results land, leaving the checkout alone; `null`: the checked-out one. */
  readonly target: string | null;
  /** Commit that a new target branch starts from. */
  readonly start: string | null;
  /** Ref checked out at this process's first look; later switches don't matter. */
  readonly ref: string | null;
  /** The line at the last look, if equal refs (`state`) mean an equal line. */
  readonly last: { readonly state: string; readonly line: ComputedLine } | null;
  /** A signature timed out: the PIN isn't entered, and no other result of this process waits for it. */
  readonly isSignerAway: boolean;
  /** Results found withdrawn since the last landing. */
  readonly withdrawn: readonly ResultId[];
};

export const NO_MEMORY: LineMemory = {
  target: null,
  start: null,
  ref: null,
  last: null,
  isSignerAway: false,
  withdrawn: [],
};

/** A line as read once. `known`: whether it was read before. */
export type Look = {
  readonly state: string;
  readonly line: ComputedLine;
  readonly isKnown: boolean;
};

/** Returns what to remember after a look. Uncommitted work is in files, which refs don't show. */
export function afterLook(memory: LineMemory, { state, line, isKnown }: Look, commits: boolean): LineMemory {
  return {
    ...memory,
    last: commits && line.isSettled ? { state, line } : null,
    withdrawn: isKnown ? memory.withdrawn : [...memory.withdrawn, ...line.withdrawn],
  };
}

/** The branch may move while a landing is prepared. */
const TRIES = 5;
/** Number of commits searched for the one that broke the line, when its last green one is unknown. */
const NEWEST = 50;

export function openLine(tree: WorkTree, { commits }: LineOptions): Line {
  const site: LineSite = { tree, commits };
  let memory = NO_MEMORY;
  const lineRef = async () => {
    const ref = await refOf(tree, memory);
    memory = { ...memory, ref };
    return ref;
  };
  const lookNow = async (): Promise<LookNow | null> => {
    await recoverLanding(tree);
    const place = await placeOf(tree, memory, await lineRef());
    if (place === null) return null;
    // A look without news starts no process: repeated looks would otherwise block the event loop.
    await giveWay();
    const look = await readIfChanged(site, place, memory.last);
    memory = afterLook(memory, look, commits);
    return { ...look.line, ...place };
  };
  return {
    current: async () => {
      const now = await lookNow();
      return now === null ? null : shownOf(now);
    },
    join: async (work) => {
      const now = await lookNow();
      return now === null ? null : joinWith(tree, now, work);
    },
    prepare: async (result) => prepareResult(site, await lineRef(), result),
    keep: async (wanted) => {
      const line = await readLine(tree);
      const one = line.prepared.find((other) => isSame(other, wanted));
      if (one === undefined) throw new GitError(`Nothing of ${wanted.taskId} is ready to be kept.`);
      await updateRefs(tree, keeping(refsOf(tree), one, line));
    },
    keepPrepared: async (isVerified) => {
      const line = await readLine(tree);
      const refs = refsOf(tree);
      const dropping = ({ name }: KeptResult) => [
        `delete ${refs}/prepared/${name}`,
        `delete ${refs}/about/${name}`,
      ];
      const updates = line.prepared.flatMap((one) =>
        isVerified(one.taskId) ? keeping(refs, one, line) : dropping(one),
      );
      await updateRefs(tree, updates);
    },
    land: async (isGreen, isHeld = () => false, refusal = undefined) => {
      const landed: LandedResult[] = [];
      const returned: ResultId[] = [];
      for (let tries = 1; ; tries += 1) {
        const now = await lookNow();
        const end = (waiting: LandingWaits | null): Landed => {
          const { withdrawn } = memory;
          memory = { ...memory, withdrawn: [] };
          return { landed, waiting, returned, conflicting: conflictsOf(now), withdrawn };
        };
        if (now === null || now.chain.length === 0) return end(null);
        const { isSignerAway } = memory;
        const step = await landOnce(site, now, { isGreen, isHeld, refusal, isSignerAway });
        if (step.kind === 'landed') landed.push(...step.landed);
        else if (step.kind === 'back') returned.push(step.result);
        else if (step.kind === 'waits') {
          memory = { ...memory, isSignerAway: step.isSignerAway ?? memory.isSignerAway };
          return end(step.waiting);
        } else if (tries >= TRIES) return end(GIT_WORKS.waiting);
      }
    },
    revert: async (taskIds, only) => revertResults(site, await lookNow(), taskIds, only),
    since: async (commit) => {
      const now = await lookNow();
      return now === null || now.commit === commit ? [] : commitsSince(tree, now, commit);
    },
    onto: async (branch) => {
      const valid = await objectGit(tree, ['check-ref-format', `refs/heads/${branch}`], { answers: [1] });
      if (valid.code !== 0 || branch.startsWith('-')) return false;
      const start = (memory.ref === null ? null : await revision(tree, memory.ref)) ?? memory.start;
      memory = { ...memory, start, target: branch, ref: null };
      return true;
    },
    changeOf: async (wanted) => {
      const one = (await readLine(tree)).keptResults.find((other) => isSame(other, wanted));
      return one === undefined ? null : { base: await treeOf(tree, one.parent), tree: one.tree };
    },
    reopen: (taskId) => reopenTask(tree, taskId),
  };
}

async function refOf(tree: WorkTree, { ref, target }: LineMemory): Promise<string> {
  return ref ?? (target === null ? headRef(tree) : `refs/heads/${target}`);
}

type Place = Pick<LookNow, 'tip' | 'ref' | 'isTarget' | 'here' | 'isGone'>;

/** Returns where the line begins; `null` without any commit. */
async function placeOf(tree: WorkTree, { target, start }: LineMemory, ref: string): Promise<Place | null> {
  const isTarget = target !== null;
  const own = await revision(tree, ref);
  const first = own === null && isTarget ? (start ?? (await revision(tree, 'HEAD'))) : null;
  const tip = own ?? first ?? (await revision(tree, seenRef(tree, ref)));
  if (tip === null) return null;
  const here = !isTarget && (await headRef(tree)) === ref;
  return { tip, ref, isTarget, here, isGone: own === null && first === null };
}

async function readIfChanged(
  { tree, commits }: LineSite,
  { ref, tip, here }: Place,
  last: LineMemory['last'],
): Promise<Look> {
  const isAsIn = async (commit: string, paths: readonly string[]) =>
    here ? filesAsIn(tree, commit, paths) : new Set<string>();
  const state = await lineState(tree, [ref, tip, here]);
  if (last?.state === state) return { state, line: last.line, isKnown: true };
  return { state, line: await computeLine(tree, { ref, tip, commits, isAsIn }), isKnown: false };
}

function isSame(one: ResultId, other: ResultId): boolean {
  return one.taskId === other.taskId && one.number === other.number;
}

/** Returns the updates of refs that keep a prepared result, in place of those of its task that haven't landed. */
export function keeping(
  refs: string,
  { name, commit, held, taskId }: KeptResult,
  { keptResults, marks }: Pick<KnownLine, 'keptResults' | 'marks'>,
): string[] {
  const old = keptResults.filter((one) => one.taskId === taskId && !marks.landed.has(one.name));
  return [
    `create ${refs}/results/${name} ${commit}`,
    `delete ${refs}/prepared/${name}`,
    ...(held === null ? [] : [`create ${refs}/held/${name} ${commit}`]),
    ...old.map((one) => `update ${refs}/superseded/${one.name} ${one.commit}`),
  ];
}

async function joinWith(
  tree: WorkTree,
  now: LookNow,
  { parent, tree: treeId }: Pick<NewResult, 'parent' | 'tree'>,
): Promise<Joined> {
  const line = shownOf(now);
  if (now.commit === parent) return { line, tree: treeId, paths: [], taskIds: [], locks: [] };
  const merged = await mergedButLocks(tree, { base: parent, onto: now.commit, change: treeId });
  if (merged.tree !== null) {
    const locks = merged.locks.map(async (path) => ({
      path: printPath(path),
      taskIds: await tasksSince(tree, now, parent, new Set([path])),
    }));
    const taskIds = await tasksSince(tree, now, parent);
    return { line, tree: merged.tree, paths: [], taskIds, locks: await Promise.all(locks) };
  }
  const { paths, shared } = await conflictingPaths(tree, parent, treeId, now.commit);
  const taskIds = await tasksSince(tree, now, parent, shared.length === 0 ? undefined : new Set(shared));
  return { line, tree: null, paths, taskIds, locks: [] };
}

/** Returns tasks whose results joined the line since a commit and changed one of these paths (absent: any). */
async function tasksSince(
  tree: WorkTree,
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

async function prepareResult(
  { tree, commits }: LineSite,
  ref: string,
  { taskId, parent, tree: treeId, message, needs, refusalReason: held }: NewResult,
): Promise<ResultId> {
  const { keptResults, prepared } = await readLine(tree);
  const all = [...keptResults, ...prepared];
  const own = all.filter((one) => one.taskId === taskId);
  const number = Math.max(0, ...own.map((one) => one.number)) + 1;
  const order = Math.max(0, ...all.map((one) => one.order)) + 1;
  const name = `${encoded(taskId)}/${number}`;
  const text = messageOf({ taskId, name }, message);
  // Without commits, git needn't know the user.
  const commit = await makeCommit(tree, treeId, [parent], text, { who: commits ? 'user' : 'ralph' });
  const about = await storeResultData(tree, { taskId, order, ref, needs: [...needs], held });
  const refs = refsOf(tree);
  await updateRefs(tree, [
    `create ${refs}/prepared/${name} ${commit}`,
    `create ${refs}/about/${name} ${about}`,
  ]);
  return { taskId, number };
}

async function commitsSince(tree: WorkTree, now: LookNow, since: string | null): Promise<LineCommit[]> {
  const results = new Map<string, ResultId>();
  for (const { taskId, number, status } of now.results)
    if (status.kind === 'landed') results.set(status.commit, { taskId, number });
  for (const { at, result } of now.chain) results.set(at, { taskId: result.taskId, number: result.number });
  const range = since === null ? ['-n', `${NEWEST}`] : [`^${since}`];
  const listed = await objectText(tree, ['log', '--first-parent', '--format=%H %T', now.commit, ...range]);
  const commits = listed.split('\n').filter(Boolean);
  const first = since === null ? null : await treeOf(tree, since);
  return commits.flatMap((line, at) => {
    const [commit = '', made = ''] = line.split(' ');
    const parentTree = commits[at + 1]?.split(' ')[1] ?? first;
    return parentTree === null
      ? []
      : [{ commit, tree: made, parentTree, result: results.get(commit) ?? null }];
  });
}

/** Lets the newest result of a task land again; returns false without one. */
async function reopenTask(tree: WorkTree, taskId: string): Promise<boolean> {
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
}

function shownOf(now: LookNow): CurrentLine {
  const { tip, commit, tree, results, here } = now;
  return { tip, commit, tree, results, branch: branchOf(now), isHere: here };
}

function conflictsOf(now: ComputedLine | null): Landed['conflicting'] {
  return (now?.results ?? []).flatMap(({ taskId, number, status }) =>
    status.kind === 'conflicting' && status.needs === null ? [{ taskId, number, paths: status.paths }] : [],
  );
}
