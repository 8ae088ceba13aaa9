import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type BytePath, foldersAbove, nulList, printPath } from './git-path.ts';
import type { NewPlan, Plan } from './plan-restore.ts';
import { inFolder, lookInside, PLAIN_INDEX } from './raw-content.ts';
import { GitError } from './run-git.ts';
import type { Staging } from './staging.ts';
import { absolute, look, objectGit, type WorkTree } from './work-tree.ts';

/** A plan whose new content lies ready in a folder. */
export type Prepared = {
  readonly plan: Plan;
  readonly ready: string;
  readonly inside: readonly { readonly path: BytePath; readonly work: Prepared }[];
  readonly anew: readonly (NewPlan & { readonly work: Prepared })[];
};

/** How often what somebody puts where something is to come is taken away. */
const PLACE_TRIES = 10;

/** Checks the new content out into the staging folder; the work tree is not touched. */
export async function prepare(plan: Plan, folder: string): Promise<Prepared> {
  const ready = join(folder, 'new');
  mkdirSync(ready, { recursive: true });
  if (plan.write.length > 0) await checkOut(plan, ready, join(folder, 'index'));
  const work = (inner: Plan, name: string) => prepare(inner, join(folder, name));
  const inside = [];
  for (const [at, one] of plan.inside.entries())
    inside.push({ path: one.path, work: await work(one.plan, `inside-${at}`) });
  const anew = [];
  for (const [at, one] of plan.anew.entries())
    anew.push({ ...one, work: await work(one.plan, `anew-${at}`) });
  return { plan, ready, inside, anew };
}

/**
 * Git checks out into an empty work tree: so it reads the `.gitattributes` of what is put back, not those of now.
 * @throws GitError when a filter fails.
 */
async function checkOut(plan: Plan, folder: string, index: string): Promise<void> {
  const tree = { ...plan.tree, top: folder };
  const env = { GIT_INDEX_FILE: index };
  await objectGit(tree, [...PLAIN_INDEX, 'read-tree', plan.target], { env });
  const input = nulList(plan.write);
  const args = [...PLAIN_INDEX, 'checkout-index', '-z', '--stdin'];
  const { stderr } = await objectGit(tree, args, { env, input, answers: [1, 128] });
  const missing = plan.write.find((path) => look(inFolder(folder, path)) === null);
  if (missing !== undefined) throw new GitError(`git cannot check out ${printPath(missing)}: ${stderr}`);
}

/** Takes away what goes, and moves in what comes. `onPlaced` hears of each file that is in its place. */
export function perform(
  { plan, ready, inside, anew }: Prepared,
  staging: Staging,
  onPlaced: (file: Buffer) => void,
  top: BytePath | null = null,
): void {
  const { tree } = plan;
  const aside = (path: BytePath) => staging.aside(tree, path, top);
  for (const path of plan.remove) if (lookInside(tree, path) !== null) aside(path);
  for (const path of plan.write) {
    makeFolders(tree, foldersAbove(path), aside);
    place(tree, path, inFolder(ready, path), aside);
    onPlaced(absolute(tree, path));
  }
  for (const path of plan.folders) makeFolders(tree, [...foldersAbove(path), path], aside);
  const within = (path: BytePath) => (top === null ? path : (`${top}/${path}` as BytePath));
  for (const { path, work } of inside) perform(work, staging, onPlaced, within(path));
  for (const { path, dotGit, work } of anew) {
    makeFolders(tree, [...foldersAbove(path), path], aside);
    writeDotGit(tree, path, dotGit, staging, within(path));
    perform(work, staging, onPlaced, within(path));
  }
  const emptied = new Set(plan.remove.flatMap(foldersAbove));
  for (const folder of [...emptied].sort().reverse()) removeHollow(absolute(tree, folder));
}

/** Makes folders, outermost first; a file or symlink in their place is taken away. */
function makeFolders(tree: WorkTree, folders: readonly BytePath[], aside: (path: BytePath) => void): void {
  for (const folder of folders) {
    const found = look(absolute(tree, folder));
    if (found?.isDirectory() === true) continue;
    if (found !== null) aside(folder);
    mkdirSync(absolute(tree, folder));
  }
}

/** A link fails where something lies by now, a rename would replace it: nobody's file is lost. */
function place(tree: WorkTree, path: BytePath, from: Buffer, aside: (path: BytePath) => void): void {
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

function writeDotGit(tree: WorkTree, path: BytePath, text: Buffer, staging: Staging, top: BytePath): void {
  const dotGit = `${path}/.git` as BytePath;
  const file = absolute(tree, dotGit);
  const found = look(file);
  if (found?.isFile() === true && readFileSync(file).equals(text)) return;
  if (found !== null)
    staging.aside({ ...tree, top: absolute(tree, path).toString('utf8') }, '.git' as BytePath, top);
  writeFileSync(file, text);
}

/** Removes a folder in which, however deep, there is nothing but folders. */
function removeHollow(folder: Buffer): void {
  if (look(folder)?.isDirectory() !== true || !isHollow(folder)) return;
  for (const inner of entriesOf(folder)) removeHollow(inner);
  try {
    rmdirSync(folder);
  } catch {
    // Somebody wrote into it, or something is mounted there.
  }
}

function isHollow(folder: Buffer): boolean {
  return entriesOf(folder).every((inner) => look(inner)?.isDirectory() === true && isHollow(inner));
}

function entriesOf(folder: Buffer): Buffer[] {
  return readdirSync(folder, { encoding: 'buffer' }).map((name) =>
    Buffer.concat([folder, Buffer.from('/'), name]),
  );
}
