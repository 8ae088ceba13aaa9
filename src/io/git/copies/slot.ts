import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TreeCopy } from '../../../domain/ports/git.ts';
import { GitError } from '../../../domain/ports.ts';
import { indexGit } from '../call/git.ts';
import { type BytePath, foldersAbove, nulList, pathBytes, printPath } from '../call/git-path.ts';
import { absolute, isOwn, look, type WorkTree } from '../repository/work-tree.ts';
import { parseIndexEntries, parsePaths } from '../snapshot/parse-status.ts';
import { copyByList, ignoredEntries } from './seed.ts';

/** What must be free beside the files themselves, in bytes. */
const SPARE_BYTES = 64 * 1024 * 1024;
const GITLINK = '160000';

/** A slot's folders and index, absolute. */
type Place = {
  /** The copy's own files. */
  readonly files: string;
  readonly index: string;
  /** There from when all files were written for the first time. */
  readonly ready: string;
};

/**
 * Brings the copy of a slot to a tree: of one that was in use only what differs is written, and all that isn't of the tree
 * is removed. A new one gets the checkout's files with their times, so that nothing is built anew.
 *
 * @param withIgnored What is ignored is copied, too: no layer can show it.
 * @throws GitError
 */
export async function fillSlot(
  tree: WorkTree,
  folder: string,
  treeId: string,
  withIgnored: boolean,
): Promise<TreeCopy['changed']> {
  const place = { files: join(folder, 'files'), index: join(folder, 'index'), ready: join(folder, 'ready') };
  const { files, index, ready } = place;
  const isWarm = existsSync(ready);
  if (!isWarm) rmSync(folder, { recursive: true, force: true });
  mkdirSync(files, { recursive: true, mode: 0o700 });
  rmSync(`${index}.lock`, { force: true });
  const git = gitIn(tree, place);
  await git(['read-tree', '--reset', treeId]);
  const entries = parseIndexEntries((await git(['ls-files', '--stage', '-v', '-z'])).stdout);
  const paths = entries.filter(({ mode }) => mode !== GITLINK).map(({ path }) => path);
  const own = paths.filter((path) => isOwn(tree, path));
  if (own.length > 0) await git(['update-index', '--skip-worktree', '-z', '--stdin'], nulList(own));
  const shown = paths.filter((path) => !isOwn(tree, path));
  if (isWarm) removeOthers(files, shown);
  else {
    checkRoom(tree, folder, shown);
    copyByList(tree, shown, files, '-a');
  }
  await writeDiffering(git);
  if (withIgnored) copyByList(tree, await ignoredEntries(tree, index), files, '-a');
  writeFileSync(ready, '');
  return () => changedIn(tree, place, treeId);
}

function gitIn(tree: WorkTree, { files, index }: Pick<Place, 'files' | 'index'>) {
  return indexGit({ kind: 'passing-index', tree: { ...tree, top: files }, index });
}

/** What isn't as the index has it, by content, comes from the repository. */
async function writeDiffering(git: ReturnType<typeof gitIn>): Promise<void> {
  await git(['update-index', '-q', '--refresh'], undefined, [1]);
  const { stdout } = await git(['diff-files', '--name-only', '-z', '--ignore-submodules=all']);
  const paths = parsePaths(stdout);
  if (paths.length > 0) await git(['checkout-index', '-f', '-q', '-u', '-z', '--stdin'], nulList(paths));
}

/** Paths at which the copy differs by now; what is ignored doesn't count. */
async function changedIn(tree: WorkTree, place: Place, treeId: string): Promise<string[]> {
  const git = gitIn(tree, place);
  await git(['add', '-A', '.']);
  const now = (await git(['write-tree'])).stdout.toString('utf8').trim();
  if (now === treeId) return [];
  const names = await git(['diff-tree', '-r', '-z', '--no-renames', '--name-only', treeId, now]);
  return parsePaths(names.stdout).map(printPath);
}

/** Removes all but these files and the folders that lead to them. */
function removeOthers(folder: string, paths: readonly BytePath[]): void {
  const kept = new Set<string>(paths);
  const leading = new Set<string>(paths.flatMap(foldersAbove));
  const clean = (path: string): void => {
    const at = path === '' ? Buffer.from(folder) : inside(folder, path);
    for (const entry of readdirSync(at, { withFileTypes: true, encoding: 'buffer' })) {
      const name = entry.name.toString('latin1');
      const below = path === '' ? name : `${path}/${name}`;
      if (entry.isDirectory() ? leading.has(below) : kept.has(below)) {
        if (entry.isDirectory()) clean(below);
      } else rmSync(inside(folder, below), { recursive: true, force: true });
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
    (sum, path) => sum + Number(look(absolute(tree, path))?.size ?? 0n),
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

/** What a box mounts over has to be there; what isn't is made. */
export function makeMountPoints(tree: WorkTree, files: string): void {
  for (const name of ['.git', '.ralph']) {
    const found = lstatSync(join(tree.top, name), { throwIfNoEntry: false });
    if (found === undefined) continue;
    if (found.isDirectory()) mkdirSync(join(files, name), { recursive: true });
    else if (!existsSync(join(files, name))) writeFileSync(join(files, name), '');
  }
}
