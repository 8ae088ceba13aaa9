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
import { removeTree } from 'ralph-kit/files/remove-tree';
import type { TreeCopy } from '../../domain/ports/work.ts';
import { GitError } from '../../domain/ports.ts';
import { indexGit, objectGit } from '../call/git.ts';
import { type BytePath, foldersAbove, isWithin, nulList, pathIn, printPath } from '../call/git-path.ts';
import { absolute, isOwn, ownPaths, tryLstat, type WorkTree } from '../call/work-tree.ts';
import { withObjects } from '../objects/door.ts';
import type { IndexEntry } from '../objects/index-file.ts';
import { GITLINK } from '../objects/tree-entries.ts';
import type { TreeFile } from '../objects/trees.ts';
import { entriesIn } from '../objects/users-index.ts';
import { differingPaths, otherPaths, outsideOfSparse, writeDiffering } from '../read/index-content.ts';
import { parsePaths } from '../read/parse-status.ts';
import { type Filled, fillSubmodules } from './fill-submodules.ts';
import { nameOwnFolder } from './own-path.ts';
import { copyByList, type Ignored, removeIn, splitBySize } from './seed.ts';

/** Bytes that must stay free besides the files. */
const SPARE_BYTES = 64 * 1024 * 1024;

export type BroughtFiles = Pick<TreeCopy, 'leftOut'> & {
  readonly built: BuiltAt;
  readonly isNew: boolean;
  /** Build results may come from files that the copy lacks, so all of its files get the current time. */
  readonly isOfOthers: boolean;
};

/** Absolute paths of a slot, a place for one copy. */
type Place = {
  readonly files: string;
  readonly index: string;
  /** Marker that exists once all files were written. */
  readonly ready: string;
};

type Filling = {
  readonly treeId: string;
  /** Tree that git in the copy sees as committed. */
  readonly base: string;
  /** Brings ignored files. Source files are written after new ones, so later writes count as newer. */
  readonly bring: (index: string, files: string) => Promise<BroughtFiles>;
  /** Paths that differ from the tree on purpose and that git in the copy must not report. */
  readonly hidden: readonly BytePath[];
};

/** Updates a used copy to a tree; a new one gets the checkout's files and times. @throws GitError */
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
  // A file older than a result that was built from another version would never be rebuilt.
  const stale = isWarm ? (brought.isNew ? shown.filter((path) => !isAsIn(tree, files, path)) : []) : shown;
  if (isWarm) for (const path of stale) removeTree(pathIn(files, path));
  copyByList(tree, stale, files, '-a');
  if (!isWarm || brought.isNew) setTimes(tree, files, shown, brought);
  // Just copied files have new times, so git compares their content.
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

export async function indexTo(tree: WorkTree, folder: string, treeId: string): Promise<void> {
  const place = { files: join(folder, 'files'), index: join(folder, 'index') };
  const git = gitIn(tree, place);
  await readInto(tree, git, place.index, treeId, await awayFrom(tree));
  await git(['update-index', '-q', '--refresh'], undefined, [1]);
}

/** Writes the differences from a tree. ralph's own folder isn't copied, but git writes its changed files. */
async function resetFiles(
  tree: WorkTree,
  git: ReturnType<typeof gitIn>,
  files: string,
  treeId: string,
): Promise<void> {
  await git(['read-tree', '--reset', '-u', treeId]);
  if (tree.ownFolder !== null) removeTree(pathIn(files, tree.ownFolder));
}

/** Whether an index hides exactly the right paths, so git leaves them; changed paths are written anyway. */
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

async function readInto(
  tree: WorkTree,
  git: ReturnType<typeof gitIn>,
  index: string,
  treeId: string,
  isHidden: (path: BytePath) => boolean,
): Promise<void> {
  await git(['read-tree', '--reset', treeId]);
  const entries = await entriesIn(tree, index, git);
  // Entries that existed before keep their flags.
  const wrong = entries.filter(({ path, skipWorktree }) => skipWorktree !== isHidden(path));
  const hidden = wrong.flatMap(({ path, skipWorktree }) => (skipWorktree ? [] : path));
  const visible = wrong.flatMap(({ path, skipWorktree }) => (skipWorktree ? path : []));
  if (hidden.length > 0) await git(['update-index', '--skip-worktree', '-z', '--stdin'], nulList(hidden));
  if (visible.length > 0)
    await git(['update-index', '--no-skip-worktree', '-z', '--stdin'], nulList(visible));
}

async function awayFrom(tree: WorkTree): Promise<(path: BytePath) => boolean> {
  const outside = await outsideOfSparse(tree);
  const isApart = ownPaths(tree);
  return (path) => isApart(path) || outside.has(path);
}

/**
 * Copies files that git ignores into a work copy; returns the printed paths of those left out as too large.
 * @param paths Those in `always` are copied whatever their size.
 * @param isElsewhere Whether programs see the copy at its own path instead of at the checkout's.
 */
export function copyIgnored(
  tree: WorkTree,
  files: string,
  paths: { readonly unlessLarge: readonly BytePath[]; readonly always: readonly BytePath[] },
  { heldOut }: Ignored,
  isElsewhere: boolean,
): string[] {
  const { small, large } = splitBySize(tree, paths.unlessLarge);
  const copied = [...small, ...paths.always];
  copyByList(tree, copied, files, '-a');
  removeIn(files, heldOut);
  if (isElsewhere) nameOwnFolder(tree.top, files, copied);
  return large.map(printPath);
}

/** Sets file times so that tools rebuild what is outdated. */
function setTimes(
  tree: WorkTree,
  files: string,
  paths: readonly BytePath[],
  { built, isOfOthers }: BroughtFiles,
): void {
  if (built.length === 0) return;
  const now = Date.now() / 1000;
  for (const path of paths) {
    const [copied, original] = [tryLstat(pathIn(files, path)), tryLstat(absolute(tree, path))];
    if (copied === null) continue;
    // Files that differ from the checkout were just written.
    const isSame = copied.mtimeNs === original?.mtimeNs && copied.size === original.size;
    const before = seconds(copied.mtimeNs);
    const time = isOfOthers
      ? now
      : isSame
        ? timeInCopy({ mtime: before, ctime: seconds(original.ctimeNs) }, built)
        : before;
    if (time !== before) lutimesSync(pathIn(files, path), time, time);
  }
}

function seconds(nanoseconds: bigint): number {
  return Number(nanoseconds) / 1e9;
}

/** Whether a copied file has the checkout's time and size. */
function isAsIn(tree: WorkTree, files: string, path: BytePath): boolean {
  const [copied, original] = [tryLstat(pathIn(files, path)), tryLstat(absolute(tree, path))];
  return copied !== null && copied.mtimeNs === original?.mtimeNs && copied.size === original.size;
}

export function gitIn(tree: WorkTree, { files, index }: Pick<Place, 'files' | 'index'>) {
  return indexGit({ kind: 'passing-index', tree: { ...tree, top: files }, index });
}

async function changedIn(tree: WorkTree, place: Place, submodules: ReadonlySet<string>): Promise<string[]> {
  const git = gitIn(tree, place);
  const differing = await differingPaths(git);
  const others = (await otherPaths(git)).filter(
    (path) =>
      !isOwn(tree, path) &&
      ![path.replace(/\/$/, ''), ...foldersAbove(path)].some((one) => submodules.has(one)),
  );
  return [...new Set([...differing, ...others])].map(printPath).sort();
}

function removeOthers(folder: string, paths: readonly BytePath[], whole: ReadonlySet<string>): void {
  const kept = new Set<string>(paths);
  const leading = new Set<string>([...paths, ...(whole as ReadonlySet<BytePath>)].flatMap(foldersAbove));
  const clean = (path: string): void => {
    const at = path === '' ? Buffer.from(folder) : pathIn(folder, path);
    for (const entry of readdirSync(at, { withFileTypes: true, encoding: 'buffer' })) {
      const name = entry.name.toString('latin1');
      const below = path === '' ? name : `${path}/${name}`;
      if (entry.isDirectory() && whole.has(below)) continue;
      if (entry.isDirectory() ? leading.has(below) : kept.has(below)) {
        if (entry.isDirectory()) clean(below);
      } else removeTree(pathIn(folder, below));
    }
  };
  clean('');
}

/** Throws a GitError when the disk has too little room. */
function checkRoom(tree: WorkTree, folder: string, paths: readonly BytePath[]): void {
  const needed = paths.reduce(
    (sum, path) => sum + Number(tryLstat(absolute(tree, path))?.size ?? 0n),
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

/** Needed without a box. @param index Decides which files are tracked. @param instructions Absolute paths. */
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

/** Removes the files of `showInstructions`, which git would report as changed. */
export function hideInstructions(tree: WorkTree, files: string, instructions: readonly string[]): void {
  const names = instructions.map((path) => relative(tree.top, path)).filter((name) => !name.startsWith('..'));
  for (const name of ['.ralph', ...names]) removeTree(join(files, name));
}

/** A box needs existing mount points. */
export function makeMountPoints(tree: WorkTree, files: string): void {
  mkdirSync(join(files, '.git'), { recursive: true });
  if (existsSync(join(tree.top, '.ralph'))) mkdirSync(join(files, '.ralph'), { recursive: true });
}

/** Times of a file in seconds since 1970. */
type Times = { readonly mtime: number; readonly ctime: number };

/** Times of the checkout's build results, oldest first: tools rebuild whatever is newer than its result. */
export type BuiltAt = readonly number[];

/** Returns the original time unless a build came between it and the last change; moved files keep old times. */
export function timeInCopy({ mtime, ctime }: Times, built: BuiltAt): number {
  const first = built[firstAtLeast(built, mtime)];
  return first !== undefined && first <= ctime ? ctime : mtime;
}

function firstAtLeast(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
