import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { LeftOut, TreeCopy } from '../../../domain/ports/work.ts';
import { GitError } from '../../../domain/ports.ts';
import { indexGit, objectGit } from '../call/git.ts';
import { type BytePath, foldersAbove, nulList, pathBytes, printPath } from '../call/git-path.ts';
import { absolute, isOwn, lstatQuietly, type WorkTree } from '../call/work-tree.ts';
import { outsideOfSparse } from '../read/index-content.ts';
import { GITLINK } from '../read/parse-diff.ts';
import { parseIndexEntries, parsePaths } from '../read/parse-status.ts';
import { type Filled, fillSubmodules } from './fill-submodules.ts';
import {
  bySize,
  copyByList,
  leadsTo,
  removeHeldOut,
  removeTree,
  type Untracked,
  untrackedEntries,
} from './seed.ts';

/** What must be free beside the files themselves, in bytes. */
const SPARE_BYTES = 64 * 1024 * 1024;

/** What git ignores is copied. */
type Ignored = Untracked & {
  /** Of a clean copy: what is installed, and no more. */
  readonly isClean: boolean;
  /** The copy has a path of its own: what names the checkout isn't of use there, and would run what lies in that. */
  readonly isElsewhere: boolean;
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
  /** What is ignored comes from the checkout anew, and may be built from files as they are there. */
  readonly isAnew: boolean;
};

/**
 * Brings the copy of a slot to a tree: of one that was in use only what differs is written, and all that isn't of the tree
 * is removed. A new one gets the checkout's files with their times, so that nothing is built anew.
 *
 * @param ignored What is ignored is copied, too, as no layer can show it; `null`: it isn't.
 * @throws GitError
 */
export async function fillSlot(
  tree: WorkTree,
  folder: string,
  { treeId, base, isAnew }: Filling,
  ignored: Ignored | null,
): Promise<Pick<TreeCopy, 'changed' | 'leftOut'> & { readonly submodules: readonly Filled[] }> {
  const place = { files: join(folder, 'files'), index: join(folder, 'index'), ready: join(folder, 'ready') };
  const { files, index, ready } = place;
  const isWarm = existsSync(ready);
  if (!isWarm) removeTree(Buffer.from(folder));
  mkdirSync(files, { recursive: true, mode: 0o700 });
  rmSync(`${index}.lock`, { force: true });
  const git = gitIn(tree, place);
  await git(['read-tree', '--reset', treeId]);
  const entries = parseIndexEntries((await git(['ls-files', '--stage', '-v', '-z'])).stdout);
  const paths = entries.filter(({ mode }) => mode !== GITLINK).map(({ path }) => path);
  const outside = await outsideOfSparse(tree);
  const isHidden = (path: BytePath) => isOwn(tree, path) || outside.has(path);
  const hide = async (all: readonly BytePath[]) => {
    const hidden = all.filter(isHidden);
    if (hidden.length > 0) await git(['update-index', '--skip-worktree', '-z', '--stdin'], nulList(hidden));
  };
  await hide(paths);
  const shown = paths.filter((path) => !isHidden(path));
  const links = entries.filter(({ mode }) => mode === GITLINK);
  const submodules = new Set<string>(links.map(({ path }) => path));
  if (isWarm) removeOthers(files, shown, submodules);
  else checkRoom(tree, folder, shown);
  // A file that is older than what was built from another one would never be built.
  const stale = isWarm ? (isAnew ? shown.filter((path) => !isAsIn(tree, files, path)) : []) : shown;
  if (isWarm) for (const path of stale) removeTree(inside(files, path));
  copyByList(tree, stale, files, '-a');
  await writeDiffering(git);
  const untracked = ignored === null ? NOTHING : await untrackedEntries(tree, index, ignored);
  const { small, large } = bySize(tree, ignored?.isClean === true ? untracked.clean : untracked.entries);
  const leading = ignored?.isElsewhere === true ? small.filter((path) => leadsTo(tree.top, path)) : [];
  copyByList(
    tree,
    small.filter((path) => !leading.includes(path)),
    files,
    '-a',
  );
  removeHeldOut(files, untracked.heldOut);
  if (base !== treeId) {
    await git(['read-tree', '--reset', base]);
    await hide(parsePaths((await git(['ls-files', '-z'])).stdout));
    await git(['update-index', '-q', '--refresh'], undefined, [1]);
  }
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
    leftOut: [...leftOut('large', large), ...leftOut('leads_to_checkout', leading)],
  };
}

const NOTHING = { entries: [], clean: [], heldOut: [] };

/** Whether the copy has a file with the time and size that it has in the checkout. */
function isAsIn(tree: WorkTree, files: string, path: BytePath): boolean {
  const [copied, original] = [lstatQuietly(inside(files, path)), lstatQuietly(absolute(tree, path))];
  return copied !== null && copied.mtimeNs === original?.mtimeNs && copied.size === original.size;
}

function leftOut(why: LeftOut['why'], paths: readonly BytePath[]): LeftOut[] {
  return paths.map((path) => ({ path: printPath(path), why }));
}

function gitIn(tree: WorkTree, { files, index }: Pick<Place, 'files' | 'index'>) {
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
  removeTree(Buffer.from(join(files, '.ralph')));
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
    removeTree(Buffer.from(join(files, name)));
    cpSync(from, join(files, name), { recursive: true });
  }
}

/** Takes away what `showInstructions` made: git would find it changed. */
export function hideInstructions(tree: WorkTree, files: string, instructions: readonly string[]): void {
  const names = instructions.map((path) => relative(tree.top, path)).filter((name) => !name.startsWith('..'));
  for (const name of ['.ralph', ...names]) removeTree(Buffer.from(join(files, name)));
}

/** What a box mounts over has to be there; what isn't is made. */
export function makeMountPoints(tree: WorkTree, files: string): void {
  mkdirSync(join(files, '.git'), { recursive: true });
  if (existsSync(join(tree.top, '.ralph'))) mkdirSync(join(files, '.ralph'), { recursive: true });
}
