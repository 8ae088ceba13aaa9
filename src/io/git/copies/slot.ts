import {
  cpSync,
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { TreeCopy } from '../../../domain/ports/work.ts';
import { GitError } from '../../../domain/ports.ts';
import { removeTree } from '../../files/remove-tree.ts';
import { indexGit, objectGit } from '../call/git.ts';
import { type BytePath, foldersAbove, isWithin, nulList, pathBytes, printPath } from '../call/git-path.ts';
import { absolute, isOwn, lstatQuietly, ownPaths, type WorkTree } from '../call/work-tree.ts';
import { withObjects } from '../objects/door.ts';
import type { IndexEntry } from '../objects/index-file.ts';
import { GITLINK } from '../objects/raw-change.ts';
import type { TreeFile } from '../objects/trees.ts';
import { entriesIn } from '../objects/users-index.ts';
import { outsideOfSparse } from '../read/index-content.ts';
import { parsePaths } from '../read/parse-status.ts';
import { type Filled, fillSubmodules } from './fill-submodules.ts';
import { nameOwnFolder } from './own-path.ts';
import { bySize, copyByList, type Ignored, removeIn } from './seed.ts';
import { type BuiltAt, timeInCopy } from './times.ts';

/** What must be free beside the files themselves, in bytes. */
const SPARE_BYTES = 64 * 1024 * 1024;

/** What git ignores, as a copy has it. */
export type Brought = Pick<TreeCopy, 'leftOut'> & {
  readonly built: BuiltAt;
  /** It isn't what the copy had before. */
  readonly isNew: boolean;
  /** It may be built of files that the copy hasn't: everything in the copy is newer. */
  readonly isOfOthers: boolean;
};

/** A slot's folders and index, absolute. */
type Place = {
  readonly files: string;
  readonly index: string;
  /** There from when all files were written for the first time. */
  readonly ready: string;
};

type Filling = {
  readonly treeId: string;
  /** What git in the copy has as committed. */
  readonly base: string;
  /**
   * Brings what git ignores, by an index and the folder of the copy's files. Where it is new, the files that it may be built of are
   * written after it: one that is written in between counts as newer.
   */
  readonly bring: (index: string, files: string) => Promise<Brought>;
  /** What the copy shows in another way than the tree has it, and git in it isn't to find changed. */
  readonly hidden: readonly BytePath[];
};

/**
 * Brings the copy of a slot to a tree: of one that was in use only what differs is written, and all that isn't of the tree
 * is removed. A new one gets the checkout's files with their times, so that nothing is built anew.
 *
 * @throws GitError
 */
export async function fillSlot(
  tree: WorkTree,
  folder: string,
  { treeId, base, bring, hidden }: Filling,
): Promise<Pick<TreeCopy, 'changed' | 'leftOut'> & { readonly submodules: readonly Filled[] }> {
  const place = { files: join(folder, 'files'), index: join(folder, 'index'), ready: join(folder, 'ready') };
  const { files, index, ready } = place;
  const isWarm = existsSync(ready);
  if (!isWarm) removeTree(folder);
  mkdirSync(files, { recursive: true, mode: 0o700 });
  rmSync(`${index}.lock`, { force: true });
  const git = gitIn(tree, place);
  const isAway = await awayFrom(tree);
  const isHidden = (path: BytePath) => isAway(path) || hidden.some((one) => isWithin(path, one));
  const entries = await withObjects(tree, (objects) => objects.files(treeId));
  const paths = entries.filter(({ mode }) => mode !== GITLINK).map(({ path }) => path);
  const shown = paths.filter((path) => !isAway(path));
  const links = entries.filter(({ mode }) => mode === GITLINK);
  const submodules = new Set<string>(links.map(({ path }) => path));
  if (isWarm) removeOthers(files, shown, submodules);
  else checkRoom(tree, folder, shown);
  const isMarked = isWarm && isHiddenAlready(tree, await entriesIn(tree, index, git), entries, isHidden);
  if (isMarked) await resetFiles(tree, git, files, treeId);
  else await readInto(tree, git, index, treeId, isHidden);
  const brought = await bring(index, files);
  // A file that is older than what was built from another one would never be built.
  const stale = isWarm ? (brought.isNew ? shown.filter((path) => !isAsIn(tree, files, path)) : []) : shown;
  if (isWarm) for (const path of stale) removeTree(inside(files, path));
  copyByList(tree, stale, files, '-a');
  if (!isWarm || brought.isNew) setTimes(tree, files, shown, brought);
  // What was copied just now has times of its own: there git goes by content.
  if (!isWarm || brought.isNew) await writeDiffering(git);
  else if (!isMarked) await resetFiles(tree, git, files, treeId);
  if (base !== treeId) await indexTo(tree, folder, base);
  const filled = await fillSubmodules(
    tree,
    { files, folder },
    treeId,
    links.map(({ path, oid }) => ({ path, commit: oid })),
  );
  writeFileSync(ready, '');
  return {
    submodules: filled,
    changed: () => changedIn(tree, place, submodules),
    leftOut: brought.leftOut,
  };
}

/** Brings the index of a slot to another tree than its files are of. */
export async function indexTo(tree: WorkTree, folder: string, treeId: string): Promise<void> {
  const place = { files: join(folder, 'files'), index: join(folder, 'index') };
  const git = gitIn(tree, place);
  await readInto(tree, git, place.index, treeId, await awayFrom(tree));
  await git(['update-index', '-q', '--refresh'], undefined, [1]);
}

/** Writes what differs from a tree, into the files and their index. Ralph's own folder is none of a copy: git writes what changed in it, hidden or not. */
async function resetFiles(
  tree: WorkTree,
  git: ReturnType<typeof gitIn>,
  files: string,
  treeId: string,
): Promise<void> {
  await git(['read-tree', '--reset', '-u', treeId]);
  if (tree.ownFolder !== null) removeTree(inside(files, tree.ownFolder));
}

/** Whether an index marks as hidden just what it is to hide of a tree, so that git leaves that unwritten; what changes is written whatever its mark says. */
function isHiddenAlready(
  tree: WorkTree,
  before: readonly IndexEntry[],
  entries: readonly TreeFile[],
  isHidden: (path: BytePath) => boolean,
): boolean {
  const known = new Map(before.map((entry) => [entry.path, entry]));
  return entries.every(({ path, mode, oid }) => {
    const was = known.get(path);
    if (!isHidden(path)) return was?.skipWorktree !== true;
    if (was?.skipWorktree !== true) return false;
    return isOwn(tree, path) || (was.oid === oid && was.mode === mode);
  });
}

/** Fills an index with a tree; git in the copy takes what is hidden for unchanged. */
async function readInto(
  tree: WorkTree,
  git: ReturnType<typeof gitIn>,
  index: string,
  treeId: string,
  isHidden: (path: BytePath) => boolean,
): Promise<void> {
  await git(['read-tree', '--reset', treeId]);
  const entries = await entriesIn(tree, index, git);
  // An entry that was there before keeps its flags.
  const wrong = entries.filter(({ path, skipWorktree }) => skipWorktree !== isHidden(path));
  const hidden = wrong.flatMap(({ path, skipWorktree }) => (skipWorktree ? [] : path));
  const visible = wrong.flatMap(({ path, skipWorktree }) => (skipWorktree ? path : []));
  if (hidden.length > 0) await git(['update-index', '--skip-worktree', '-z', '--stdin'], nulList(hidden));
  if (visible.length > 0)
    await git(['update-index', '--no-skip-worktree', '-z', '--stdin'], nulList(visible));
}

/** Which paths have no file in a copy. */
async function awayFrom(tree: WorkTree): Promise<(path: BytePath) => boolean> {
  const outside = await outsideOfSparse(tree);
  const isApart = ownPaths(tree);
  return (path) => isApart(path) || outside.has(path);
}

/**
 * Copies what git ignores into a copy, as no layer can show it.
 *
 * @param paths `always`: whatever its size.
 * @param isElsewhere Programs see the copy at its own path.
 */
export function copyIgnored(
  tree: WorkTree,
  files: string,
  paths: { readonly unlessLarge: readonly BytePath[]; readonly always: readonly BytePath[] },
  { heldOut }: Ignored,
  isElsewhere: boolean,
): string[] {
  const { small, large } = bySize(tree, paths.unlessLarge);
  const copied = [...small, ...paths.always];
  copyByList(tree, copied, files, '-a');
  removeIn(files, heldOut);
  if (isElsewhere) nameOwnFolder(tree.top, files, copied);
  return large.map(printPath);
}

/** Gives files the times by which tools see what is to be built anew. */
function setTimes(
  tree: WorkTree,
  files: string,
  paths: readonly BytePath[],
  { built, isOfOthers }: Brought,
): void {
  if (built.length === 0) return;
  const now = Date.now() / 1000;
  for (const path of paths) {
    const [copied, original] = [lstatQuietly(inside(files, path)), lstatQuietly(absolute(tree, path))];
    if (copied === null) continue;
    // One that differs is written anew.
    const isSame = copied.mtimeNs === original?.mtimeNs && copied.size === original.size;
    const before = seconds(copied.mtimeNs);
    const time = isOfOthers
      ? now
      : isSame
        ? timeInCopy({ mtime: before, ctime: seconds(original.ctimeNs) }, built)
        : before;
    if (time !== before) lutimesSync(inside(files, path), time, time);
  }
}

function seconds(nanoseconds: bigint): number {
  return Number(nanoseconds) / 1e9;
}

/** Whether the copy has a file with the time and size that it has in the checkout. */
function isAsIn(tree: WorkTree, files: string, path: BytePath): boolean {
  const [copied, original] = [lstatQuietly(inside(files, path)), lstatQuietly(absolute(tree, path))];
  return copied !== null && copied.mtimeNs === original?.mtimeNs && copied.size === original.size;
}

export function gitIn(tree: WorkTree, { files, index }: Pick<Place, 'files' | 'index'>) {
  return indexGit({ kind: 'passing-index', tree: { ...tree, top: files }, index });
}

/** Tracked files that aren't as the index has them, by content. */
async function differingPaths(git: ReturnType<typeof gitIn>): Promise<BytePath[]> {
  await git(['update-index', '-q', '--refresh'], undefined, [1]);
  return parsePaths((await git(['diff-files', '--name-only', '-z', '--ignore-submodules=all'])).stdout);
}

/** What isn't as the index has it comes from the repository. */
async function writeDiffering(git: ReturnType<typeof gitIn>): Promise<void> {
  const paths = await differingPaths(git);
  if (paths.length > 0) await git(['checkout-index', '-f', '-q', '-u', '-z', '--stdin'], nulList(paths));
}

/** Paths at which the copy differs by now; what is ignored doesn't count, nor what is in submodules. */
async function changedIn(tree: WorkTree, place: Place, submodules: ReadonlySet<string>): Promise<string[]> {
  const git = gitIn(tree, place);
  const differing = await differingPaths(git);
  const { stdout } = await git(['ls-files', '-z', '--others', '--exclude-standard']);
  const others = parsePaths(stdout).filter(
    (path) =>
      !isOwn(tree, path) &&
      ![path.replace(/\/$/, ''), ...foldersAbove(path)].some((one) => submodules.has(one)),
  );
  return [...new Set([...differing, ...others])].map(printPath).sort();
}

/** Removes all but these files, these folders with all in them, and the folders that lead to either. */
function removeOthers(folder: string, paths: readonly BytePath[], whole: ReadonlySet<string>): void {
  const kept = new Set<string>(paths);
  const leading = new Set<string>([...paths, ...(whole as ReadonlySet<BytePath>)].flatMap(foldersAbove));
  const clean = (path: string): void => {
    const at = path === '' ? Buffer.from(folder) : inside(folder, path);
    for (const entry of readdirSync(at, { withFileTypes: true, encoding: 'buffer' })) {
      const name = entry.name.toString('latin1');
      const below = path === '' ? name : `${path}/${name}`;
      if (entry.isDirectory() && whole.has(below)) continue;
      if (entry.isDirectory() ? leading.has(below) : kept.has(below)) {
        if (entry.isDirectory()) clean(below);
      } else removeTree(inside(folder, below));
    }
  };
  clean('');
}

function inside(folder: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), pathBytes(path as BytePath)]);
}

/** @throws GitError where the files don't fit. */
function checkRoom(tree: WorkTree, folder: string, paths: readonly BytePath[]): void {
  const needed = paths.reduce(
    (sum, path) => sum + Number(lstatQuietly(absolute(tree, path))?.size ?? 0n),
    SPARE_BYTES,
  );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free >= needed) return;
  const megabytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024);
  throw new GitError(
    `A copy of the work tree needs ${megabytes(needed)} MB in ${folder}, and ${megabytes(free)} MB are free.`,
  );
}

/**
 * Where no box shows them, a copy gets files of its own: what is tracked in ralph's folder, and the checkout's instructions.
 *
 * @param index An index by which files are tracked or not.
 * @param instructions Absolute paths.
 */
export async function showInstructions(
  tree: WorkTree,
  files: string,
  index: string,
  instructions: readonly string[],
): Promise<void> {
  removeTree(join(files, '.ralph'));
  const { stdout } = await objectGit(tree, ['ls-files', '-z', '--', '.ralph'], {
    env: { GIT_INDEX_FILE: index },
  });
  const names = [
    ...parsePaths(stdout).map(printPath),
    ...instructions.map((path) => relative(tree.top, path)),
  ];
  for (const name of new Set(names)) {
    const from = join(tree.top, name);
    const found = lstatSync(from, { throwIfNoEntry: false });
    if (name.startsWith('..') || !(found?.isFile() || found?.isDirectory())) continue;
    mkdirSync(dirname(join(files, name)), { recursive: true });
    removeTree(join(files, name));
    cpSync(from, join(files, name), { recursive: true });
  }
}

/** Takes away what `showInstructions` made: git would find it changed. */
export function hideInstructions(tree: WorkTree, files: string, instructions: readonly string[]): void {
  const names = instructions.map((path) => relative(tree.top, path)).filter((name) => !name.startsWith('..'));
  for (const name of ['.ralph', ...names]) removeTree(join(files, name));
}

/** What a box mounts over has to be there; what isn't is made. */
export function makeMountPoints(tree: WorkTree, files: string): void {
  mkdirSync(join(files, '.git'), { recursive: true });
  if (existsSync(join(tree.top, '.ralph'))) mkdirSync(join(files, '.ralph'), { recursive: true });
}
