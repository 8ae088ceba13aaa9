import { existsSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FleetGit } from 'ralph-fleet/jobs';
import { oneByOne } from 'ralph-kit/one-by-one';
import { tryOr } from 'ralph-kit/try-or';
import type { FileHistory, Git, HistoryQuery, Line } from '../domain/ports.ts';
import { printPath } from './call/git-path.ts';
import { asGitError } from './call/run-git.ts';
import { type HooksHow, isOwn, privateFolder, type WorkTree } from './call/work-tree.ts';
import {
  dropCheckpoint,
  dropRefsApart,
  keepCheckpoint,
  keepContent,
  listCheckpoints,
  missingTrees,
  pruneCheckpoints,
} from './checkpoints.ts';
import { commitEdits } from './commit/commit-edit.ts';
import { openWork } from './copies/open-work.ts';
import { ignoreUntrackedPackages, untrackedAt } from './copies/seed.ts';
import { type CopyPlan, openSlots } from './copies/slots.ts';
import { changesFromHead, describedCommits, diffSnapshots, madeBetween, patchBetween } from './diff/diff.ts';
import { factsOf, textsOf } from './diff/file-facts.ts';
import { fileHistory } from './diff/file-history.ts';
import { fleetGit } from './fleet-git.ts';
import { bringTree } from './line/landing.ts';
import { type LineOptions, openLine } from './line/open-line.ts';
import { closeDoor } from './objects/door.ts';
import type { Pin } from './read/nested.ts';
import type { FoundWorkTree } from './repository/find-work-tree.ts';
import { gitProblem, locate } from './repository/locate.ts';
import { ownChange, watchGit } from './repository/own-change.ts';
import { isBehind, pushBranch, pushTarget } from './repository/push.ts';
import { readRefs } from './repository/refs.ts';
import { openSnapshots, type SnapshotSettings, type Snapshots } from './snapshot/snapshot.ts';
import { appendNote, applyToTree, composeTree, stagedTree, wholePatch } from './trees/changed-tree.ts';
import { pinView } from './view/pin-view.ts';

type GitWithLine = Git & {
  readonly line: (options: LineOptions) => Line;
  readonly fleet: (remote: string) => FleetGit;
  /** Deletes the refs of `ralph do`, except for one checkpoint; `null`: no exception. @throws GitError */
  readonly dropRefsApart: (kept: string | null) => Promise<void>;
};

export type OpenedGit =
  | (FoundWorkTree & {
      readonly ok: true;
      /**
       * Returns the port `Git`, with the repository's settings as they are now. `stateHome`: folder for what is kept
       * outside of the repository; `hooks`: how your hooks run; `copies`: how copies are made; `apart`: name of refs
       * that aren't the task list's. Without snapshot settings, ignored files don't count and files may have any size.
       * @throws GitError
       */
      readonly git: (
        stateHome: string,
        settings?: Partial<SnapshotSettings>,
        hooks?: HooksHow,
        copies?: CopyPlan,
        refNamespace?: string,
      ) => Promise<GitWithLine>;
      /** Returns a file's versions since a commit; `null` when unknown. @throws GitError */
      readonly history: (query: HistoryQuery) => Promise<FileHistory | null>;
    })
  /** The repository cannot be opened; `next` is the command that helps. */
  | { readonly ok: false; readonly message: string; readonly next?: string };

/** Opens the repository; snapshots lack its `.ralph/`. Later calls throw GitError when git fails (full disk). */
export async function openGit({ root }: { readonly root: string }): Promise<OpenedGit> {
  const problem = await gitProblem(root);
  if (problem !== null) return { ok: false, message: problem };
  const located = await locate(root);
  if (!located.ok) return located;
  const { tree } = located;
  const { top, gitDir, commonDir } = tree;
  return {
    ok: true,
    top,
    gitDir,
    commonDir,
    git: (home, settings, hooks, copies, refNamespace) =>
      gitPort(
        refNamespace === undefined ? tree : { ...tree, refNamespace },
        home,
        settings ?? {},
        hooks,
        copies ?? ELSEWHERE,
      ),
    history: (query) => fileHistory(tree, query),
  };
}

const ELSEWHERE: CopyPlan = {
  showing: () => 'elsewhere',
  leftOut: () => [],
  heldOut: () => [],
  seed: [],
};

async function gitPort(
  found: WorkTree,
  stateHome: string,
  { includeIgnored = [] }: Partial<SnapshotSettings>,
  hooks: HooksHow | undefined,
  copies: CopyPlan,
): Promise<GitWithLine> {
  const place = join(stateHome, 'git');
  const own = privateFolder(found);
  // A repository that ralph only inspects needs no index for later runs.
  const leavesNothing = copies.placeName !== undefined && !existsSync(own);
  let isStarted = false;
  const pin: Pin = (one) => asGitError(place, () => pinView(one, place, !isStarted, hooks));
  const tree = await pin(found);
  await asGitError(place, () => ignoreUntrackedPackages(tree));
  const first = openSnapshots(tree, { includeIgnored }, place, pin);
  const take: Snapshots['take'] = async () => {
    const snapshot = await first.take();
    // Repositories that appear after the first snapshot may be an agent's.
    isStarted = true;
    return snapshot;
  };
  const snapshots: Snapshots = { ...first, take };
  const seeded = await untrackedAt(tree, copies.seed);
  const slots = openSlots(tree, stateHome, copies, seeded);
  const inTurn = oneByOne();
  const opened = new Map<number, ReturnType<typeof openWork>>();
  const work = (worker: number) => {
    const site = { tree, settings: { includeIgnored }, place, pin, leftOut: copies.leftOut, seeded };
    const known = opened.get(worker) ?? openWork({ ...site, inTurn: oneByOne() }, slots.work(worker));
    opened.set(worker, known);
    return known;
  };
  const snapshot = () => inTurn(() => asGitError(tree.gitDir, take));
  const diff: Git['diffWithPatch'] = async (before, after, patchBytes) => {
    const second = after === 'now' ? await snapshot() : after;
    return diffSnapshots(tree, snapshots.submodules.find, before, second, patchBytes);
  };
  return {
    line: (options) => openLine(tree, options),
    fleet: (remote) => fleetGit(tree, remote),
    refs: () => readRefs(tree),
    watch: () => watchGit(tree),
    snapshot,
    diff: async (before, after) => (await diff(before, after, 0)).changes,
    diffWithPatch: diff,
    checkpoint: (run, number, snapshot) => keepCheckpoint(tree, run, number, snapshot),
    checkpoints: () => listCheckpoints(tree),
    bringTree: (now, id, onto) => inTurn(() => bringTree(tree, now, id, onto)),
    compose: (parts) => inTurn(() => composeTree(tree, parts)),
    pushTarget: (branch) => pushTarget(tree, branch),
    isBehind: (target) => isBehind(tree, target),
    // A push may take minutes and reads no index, so it doesn't wait for its turn.
    push: (branch, apart, moves) => pushBranch(tree, branch, apart, moves),
    stagedTree: () => inTurn(() => stagedTree(tree)),
    commitsBetween: (base, head, bytes) => describedCommits(tree, [head], [base], bytes),
    appendNote: (note) => inTurn(() => appendNote(tree, note)),
    keep: (id, note, name) => keepContent(tree, id, note, name),
    wholePatch: (from, to) => wholePatch(tree, from, to),
    applyToTree: (onto, patch) => inTurn(() => applyToTree(tree, onto, patch)),
    madeBetween: (before, after) => madeBetween(tree, before, after),
    missingTrees: (trees) => missingTrees(tree, trees),
    dropCheckpoint: (id) => dropCheckpoint(tree, id),
    dropRefsApart: (kept) => dropRefsApart(tree, kept),
    patchBetween: (from, to, limit) => patchBetween(tree, from, to, limit),
    pruneCheckpoints: (policy) => pruneCheckpoints(tree, policy, Date.now()),
    fileFacts: (snapshot, paths) => factsOf(tree, snapshot, paths),
    texts: (id, isWanted, maxBytes) => textsOf(tree, id, isWanted, maxBytes),
    dirtyPaths: async ({ head, tree: id }) =>
      (await changesFromHead(tree, head, id))
        .map(({ path }) => path)
        .filter((path) => !isOwn(tree, path))
        .sort()
        .map(printPath),
    commitEdits: (branch, edits, message) =>
      inTurn(() =>
        ownChange(tree, () =>
          commitEdits(tree, branch === null ? null : `refs/heads/${branch}`, edits, message),
        ),
      ),
    copyTree: (id, committed) => inTurn(() => asGitError(place, () => slots.open(id, committed))),
    cleanCopy: (copy) => inTurn(() => asGitError(place, () => slots.openClean(copy))),
    notInstalled: () => inTurn(() => asGitError(place, slots.notInstalled)),
    work,
    room: () => slots.room(),
    removeCopies: () => inTurn(() => asGitError(place, async () => slots.remove())),
    close: () => {
      snapshots.close();
      for (const one of opened.values()) one.close();
      closeDoor(tree);
      if (!leavesNothing) return;
      rmSync(snapshots.files.folder, { recursive: true, force: true });
      tryOr(undefined, () => rmdirSync(own));
    },
  };
}
