import { linkSync, mkdirSync, readlinkSync, renameSync, rmdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { GitError } from '../../../domain/ports.ts';
import { indexGit } from '../call/git.ts';
import { type BytePath, foldersAbove, nulList, printPath } from '../call/git-path.ts';
import { absolute, look, type WorkTree } from '../repository/work-tree.ts';
import type { RestorePlan } from './plan-restore.ts';
import { entriesOf, inFolder, lookInside } from './raw-content.ts';

/** Takes away whatever lies at a path of the work tree. */
type Aside = (path: BytePath) => void;

/** How often what a program puts where something is to come is taken away. */
const PLACE_TRIES = 10;

/**
 * Lays the new content ready below a folder, and returns where; the work tree isn't touched. Git checks out into an
 * empty work tree: so it reads the `.gitattributes` of what is put back, not those of now.
 * @throws GitError when a filter fails.
 */
export async function checkOut(plan: RestorePlan, folder: string): Promise<string> {
  const ready = join(folder, 'new');
  mkdirSync(ready);
  if (plan.write.length === 0) return ready;
  const tree = { ...plan.tree, top: ready };
  const git = indexGit({ kind: 'passing-index', tree, index: join(folder, 'index') });
  await git(['read-tree', plan.target]);
  const { stderr } = await git(['checkout-index', '-z', '--stdin'], nulList(plan.write), [1, 128]);
  const missing = plan.write.find((path) => look(inFolder(ready, path)) === null);
  if (missing !== undefined) throw new GitError(`git can't check out ${printPath(missing)}: ${stderr}`);
  return ready;
}

/** Takes away what goes, and moves in what comes. `onPlaced` hears of each file that is in its place. */
export function perform(
  { tree, remove, write }: RestorePlan,
  ready: string,
  aside: Aside,
  onPlaced: (file: Buffer) => void,
): void {
  for (const path of remove) if (lookInside(tree, path) !== null) aside(path);
  for (const path of write) {
    makeFolders(tree, foldersAbove(path), aside);
    place(tree, path, inFolder(ready, path), aside);
    onPlaced(absolute(tree, path));
  }
  const emptied = new Set(remove.flatMap(foldersAbove));
  for (const folder of [...emptied].sort().reverse()) removeHollow(absolute(tree, folder));
}

/** Makes folders, outermost first; a file or symlink in their place is taken away. */
function makeFolders(tree: WorkTree, folders: readonly BytePath[], aside: Aside): void {
  for (const folder of folders) {
    const found = look(absolute(tree, folder));
    if (found?.isDirectory() === true) continue;
    if (found !== null) aside(folder);
    mkdirSync(absolute(tree, folder));
  }
}

/** A link fails where something lies by now, a rename would replace it: no file is lost. */
function place(tree: WorkTree, path: BytePath, from: Buffer, aside: Aside): void {
  const to = absolute(tree, path);
  for (let tries = 1; ; tries += 1) {
    if (look(to) !== null) aside(path);
    try {
      if (look(from)?.isSymbolicLink() === true) symlinkSync(readlinkSync(from, { encoding: 'buffer' }), to);
      else linkOrMove(from, to);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || tries === PLACE_TRIES) throw error;
    }
  }
}

function linkOrMove(from: Buffer, to: Buffer): void {
  try {
    linkSync(from, to);
    unlinkSync(from);
  } catch (error) {
    // A file system without links.
    const { code } = error as NodeJS.ErrnoException;
    if ((code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP') || look(to) !== null) throw error;
    renameSync(from, to);
  }
}

/** Removes a folder in which, however deep, there is nothing but folders. */
function removeHollow(folder: Buffer): void {
  if (look(folder)?.isDirectory() !== true || !isHollow(folder)) return;
  for (const inner of entriesOf(folder)) removeHollow(inner);
  try {
    rmdirSync(folder);
  } catch {
    // A program wrote into it, or something is mounted there.
  }
}

function isHollow(folder: Buffer): boolean {
  return entriesOf(folder).every((inner) => look(inner)?.isDirectory() === true && isHollow(inner));
}
