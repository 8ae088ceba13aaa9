import { relative } from 'node:path';
import type { Snapshot } from '../../domain/change-set.ts';
import { changesFromHead } from './diff.ts';
import { dotGitFor, repositoryOf, treeIn } from './find-repository.ts';
import { type BytePath, isWithin, printPath } from './git-path.ts';
import { isOwn } from './index-state.ts';
import { GITLINK, type RawChange } from './parse-diff.ts';
import { lookInside } from './raw-content.ts';
import { GitError } from './run-git.ts';
import type { Snapshots } from './snapshot.ts';
import { absolute, type WorkTree } from './work-tree.ts';

/** What has to happen in one work tree so that it holds a tree. */
export type Plan = {
  readonly tree: WorkTree;
  /** The tree that is put back. */
  readonly target: string;
  /** Files, and whole folders of submodules, that go. */
  readonly remove: readonly BytePath[];
  /** Files and symlinks that come. */
  readonly write: readonly BytePath[];
  /** Empty folders of submodules that were never checked out. */
  readonly folders: readonly BytePath[];
  /** Submodules that are checked out, and change inside. */
  readonly inside: readonly InsidePlan[];
  /** Submodules that are not there and come back. */
  readonly anew: readonly NewPlan[];
};

export type InsidePlan = {
  readonly path: BytePath;
  /** The commit that stands for what it holds now; `null` when it is no submodule to git at present. */
  readonly identity: string | null;
  readonly plan: SitePlan;
};

export type NewPlan = {
  readonly path: BytePath;
  /** What its `.git` says. */
  readonly dotGit: Buffer;
  readonly plan: Plan;
};

/** The plan for a work tree that is there, with what it holds now. */
export type SitePlan = Plan & {
  readonly snapshots: Snapshots;
  readonly snapshot: Snapshot;
  /** Old content of what changes, by path. */
  readonly old: ReadonlyMap<BytePath, string>;
  /** Submodules that go, with the commit that stands for what they hold. */
  readonly gone: readonly { readonly path: BytePath; readonly tree: WorkTree | null; readonly oid: string }[];
};

/**
 * Compares a work tree with a tree, submodules included.
 *
 * @param isPlaced What was put at this place a moment ago and is untouched: it is right although a snapshot may name
 * it otherwise (an ignored file, line endings that git would store in another way).
 * @throws GitError when the tree cannot be put back, or a submodule of it.
 */
export async function planRestore(
  tree: WorkTree,
  snapshots: Snapshots,
  target: string,
  isPlaced: (file: Buffer) => boolean,
): Promise<SitePlan> {
  const snapshot = await snapshots.take();
  const changes = await changesFromHead(tree, snapshot.tree, target);
  const inside: InsidePlan[] = [];
  const there = new Set<BytePath>();
  for (const { path, oldMode, oldOid, newMode, newOid } of changes) {
    const submodule = newMode === GITLINK ? await snapshots.submodules.inside(path) : null;
    if (submodule === null) continue;
    there.add(path);
    const inner = await treeIn(submodule.tree, newOid, path);
    const plan = await planRestore(submodule.tree, submodule.snapshots, inner, isPlaced);
    if (!isIdle(plan)) inside.push({ path, identity: oldMode === GITLINK ? oldOid : null, plan });
  }
  // Git may take the files of a submodule for files of this repository; the plan for the submodule has them.
  const own = changes.filter(
    ({ path }) => !isOwn(tree, path) && ![...there].some((folder) => isWithin(path, folder)),
  );
  const gone = [];
  for (const { path, oldOid } of own.filter(leavesSubmodule)) {
    gone.push({ path, oid: oldOid, tree: (await snapshots.submodules.inside(path))?.tree ?? null });
  }
  const old = new Map(own.filter(hadFile).map(({ path, oldOid }) => [path, oldOid]));
  return {
    ...(await planChanges(tree, tree, own, target, isPlaced)),
    inside,
    snapshots,
    snapshot,
    old,
    gone,
  };
}

/** Whether nothing is left to do. */
export function isIdle({ remove, write, folders, inside, anew }: Plan): boolean {
  return remove.length + write.length + folders.length + inside.length + anew.length === 0;
}

/** What a plan changes, relative to the top of the outermost work tree. */
export function touchedPaths(plan: Plan): BytePath[] {
  return [
    ...plan.remove,
    ...plan.write,
    ...[...plan.inside, ...plan.anew].flatMap(({ path, plan: inner }) => below(path, touchedPaths(inner))),
  ];
}

export function below(folder: BytePath, paths: readonly BytePath[]): BytePath[] {
  return paths.map((path) => `${folder}/${path}` as BytePath);
}

/** `store` is where git can run: the work tree itself may not be there yet. */
async function planChanges(
  tree: WorkTree,
  store: WorkTree,
  changes: readonly RawChange[],
  target: string,
  isPlaced: (file: Buffer) => boolean,
): Promise<Plan> {
  const remove: BytePath[] = [];
  const write: BytePath[] = [];
  const folders: BytePath[] = [];
  const anew: NewPlan[] = [];
  for (const change of changes) {
    const { path } = change;
    if (tree.ownFolder !== null && isWithin(tree.ownFolder, path)) throw ownFolderInTheWay(path);
    const found = lookInside(tree, path);
    if (leavesSubmodule(change) && found?.isDirectory() === true) remove.push(path);
    if (hadFile(change) && !hasFile(change) && found !== null && !found.isDirectory()) remove.push(path);
    if (hasFile(change) && !(found !== null && isPlaced(absolute(tree, path)))) write.push(path);
    if (change.newMode !== GITLINK) continue;
    const repository = await repositoryOf(store, target, path);
    if (repository !== null) anew.push(await planNew(tree, path, repository, change.newOid, isPlaced));
    else if (found?.isDirectory() !== true) folders.push(path);
  }
  return { tree, target, remove, write, folders, anew, inside: [] };
}

async function planNew(
  outer: WorkTree,
  path: BytePath,
  gitDir: string,
  commit: string,
  isPlaced: (file: Buffer) => boolean,
): Promise<NewPlan> {
  const top = absolute(outer, path).toString('utf8');
  const tree: WorkTree = { top, gitDir, commonDir: gitDir, ownFolder: null };
  const store = { ...tree, top: gitDir };
  const target = await treeIn(store, commit, path);
  const changes = await changesFromHead(store, null, target);
  const plan = await planChanges(tree, store, changes, target, isPlaced);
  return { path, dotGit: dotGitFor(relative(top, gitDir)), plan };
}

function hadFile({ status, oldMode }: RawChange): boolean {
  return status !== 'A' && oldMode !== GITLINK;
}

function hasFile({ status, newMode }: RawChange): boolean {
  return status !== 'D' && newMode !== GITLINK;
}

function leavesSubmodule({ oldMode, newMode }: RawChange): boolean {
  return oldMode === GITLINK && newMode !== GITLINK;
}

function ownFolderInTheWay(path: BytePath): GitError {
  return new GitError(
    `${printPath(path)} cannot be put back: ralph's own folder lies in it. Move .ralph away, or put the file back by hand.`,
  );
}
