import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { lstatOrNull } from 'ralph-kit/files/plain-file';
import { removeTree } from 'ralph-kit/files/remove-tree';
import { isAlive, ownStartTime } from 'ralph-kit/programs/table/process-identity';
import { tryOr } from 'ralph-kit/try-or';
import * as z from 'zod/mini';
import type { Snapshot } from '../../domain/change-set.ts';
import type { TreeBrought } from '../../domain/ports.ts';
import { ownWrite } from '../../io/watch-files.ts';
import { type BytePath, foldersAbove, nulList, pathIn, printPath } from '../call/git-path.ts';
import { indexLockOf, lockIndex, readyIndex, replaceIndex, unlockIndex } from '../call/index-lock.ts';
import { absolute, lstatOnce, privateFolder, type WorkTree } from '../call/work-tree.ts';
import { changesFromHead } from '../diff/diff.ts';
import { headRef, isReachable, moveRefs, revision } from '../objects/questions.ts';
import { GITLINK, type RawChange } from '../objects/tree-entries.ts';
import { setEntries } from '../read/index-content.ts';
import { inLandingTurn, ownChange } from '../repository/own-change.ts';
import { hiddenPaths, pathsInTheWay } from './in-the-way.ts';
import { moveSubmodules } from './move-submodules.ts';
import { writeNewFiles } from './new-files.ts';

const File = z.object({
  /** Path below the top, one character per byte. */
  path: z.string(),
  /** Content before the landing, in the form of `contentOf`. */
  had: z.string(),
  want: z.string(),
  /** New entry of the user's index; mode 0 removes it. */
  mode: z.string(),
  oid: z.string(),
});

/** A landing, written to disk before any of the user's files is touched. */
const Plan = z.object({
  id: z.string(),
  /** Start time of the process in `id`; `null` when the system doesn't report it. */
  by: z._default(z.nullable(z.string()), null),
  /** Input of `git update-ref --stdin` that moves the branch and sets the marks of the landing. */
  updates: z.array(z.string()),
  ref: z.string(),
  from: z.string(),
  to: z.string(),
  isHere: z.boolean(),
  withIndex: z.boolean(),
  files: z.array(File),
});
export type Plan = z.infer<typeof Plan>;

export type LandingStep =
  | { readonly kind: 'landed' }
  | { readonly kind: 'way'; readonly path: string }
  | { readonly kind: 'moved' | 'git_works' };

/** Returns a folder on the work tree's file system, as files are moved by rename. */
export function landingFolder(tree: WorkTree): string {
  const sameDevice = lstatSync(tree.gitDir).dev === lstatSync(tree.top).dev;
  return join(sameDevice ? privateFolder(tree) : join(tree.top, '.ralph'), 'landing');
}

/** Returns a path's content as text, so that two places can be compared without git. */
export function contentOf(path: Buffer): string {
  const found = lstatOrNull(path);
  if (found === null) return 'nothing';
  if (found.isSymbolicLink()) return `link ${readlinkSync(path, { encoding: 'buffer' }).toString('latin1')}`;
  if (found.isDirectory()) return 'folder';
  if (!found.isFile()) return 'other';
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
  return `${(found.mode & 0o100n) === 0n ? '-' : 'x'} ${hash}`;
}

function hasNoFile(content: string): boolean {
  return content === 'nothing' || content === 'folder';
}

const NEW = 'new';
const ASIDE = 'aside';
const PLAN = 'plan.json';
const DONE = 'done';

export async function readyFiles(
  tree: WorkTree,
  to: string,
  changes: readonly RawChange[],
  isHidden: (path: BytePath) => boolean,
): Promise<Plan['files']> {
  const folder = landingFolder(tree);
  removeTree(folder);
  mkdirSync(join(folder, NEW), { recursive: true, mode: 0o700 });
  mkdirSync(join(folder, ASIDE), { mode: 0o700 });
  const written = changes.filter(({ status, path }) => status !== 'D' && !isHidden(path));
  await writeNewFiles(tree, to, written, join(folder, NEW), folder);
  return changes.map(({ path, status, oldMode, newMode, newOid }) => {
    const entry = { mode: status === 'D' ? '0' : newMode, oid: newOid };
    const had = contentOf(absolute(tree, path));
    // Files in a submodule are the user's, even when the submodule is removed.
    const isLeft = status === 'D' && oldMode === GITLINK && !isEmptyFolder(absolute(tree, path));
    if (isHidden(path) || isLeft) return { path, had, want: had, ...entry };
    const want = status === 'D' ? 'nothing' : contentOf(newFile(folder, path));
    return { path, had, want, ...entry };
  });
}

function newFile(folder: string, path: string): Buffer {
  return pathIn(join(folder, NEW), path);
}

function asideFile(folder: string, at: number): string {
  return join(folder, ASIDE, String(at));
}

function writePlan(tree: WorkTree, plan: Plan): void {
  const path = join(landingFolder(tree), PLAN);
  const file = openSync(`${path}.new`, 'w', 0o600);
  writeSync(file, JSON.stringify(plan));
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.new`, path);
}

function nextIndex(tree: WorkTree): string {
  return join(privateFolder(tree), 'users-index');
}

function forgetLanding(tree: WorkTree): void {
  const folder = landingFolder(tree);
  rmSync(nextIndex(tree), { force: true });
  rmSync(join(folder, PLAN), { force: true });
  removeTree(folder);
  // `ralph do` leaves no folder in a work tree that has none of ralph's.
  const own = join(tree.top, '.ralph');
  if (folder === join(own, 'landing')) tryOr(undefined, () => rmdirSync(own));
}

function holderOf({ id }: Pick<Plan, 'id'>): string {
  return `ralph ${id}`;
}

/** Writes a plan and locks the user's index; returns false, without a plan, when git is using the index. */
export function beginLanding(tree: WorkTree, plan: Plan): boolean {
  let isLocked = false;
  try {
    writePlan(tree, plan);
    isLocked = lockIndex(tree, holderOf(plan));
  } finally {
    if (!isLocked) forgetLanding(tree);
  }
  return isLocked;
}

export function endLanding(tree: WorkTree): void {
  unlockIndex(tree);
  forgetLanding(tree);
}

/**
 * Executes a plan under the index lock: files, then the branch, then the index, prepared beforehand so that only a
 * rename is left. Repeating it after a kill gives the same result.
 * @param hasMoved The branch has moved already; differences are the user's edits.
 * @throws The error that stopped it; branch, index and files are unchanged then.
 */
export async function bringForward(tree: WorkTree, plan: Plan, hasMoved: boolean): Promise<LandingStep> {
  if (hasMoved) await followIndex(tree, plan);
  else {
    try {
      const way = bringFiles(tree, plan);
      if (way !== null) return takeBack(tree, plan, way);
      await followIndex(tree, plan);
      const moved = plan.updates.length === 0 || (await moveRefs(tree, plan.updates));
      if (!moved && !(await isDone(tree, plan))) return takeBack(tree, plan, null);
    } catch (error) {
      // A git that was stopped may have finished its work.
      if (!(await isAtEnd(tree, plan))) {
        takeBack(tree, plan, null);
        throw error;
      }
    }
  }
  if (plan.withIndex) replaceIndex(tree, nextIndex(tree));
  writeFileSync(join(landingFolder(tree), DONE), '');
  endLanding(tree);
  return { kind: 'landed' };
}

function inOrder({ files }: Plan): number[] {
  const goes = (at: number) => files[at]?.want === 'nothing';
  return [...files.keys()].sort((one, other) => Number(goes(other)) - Number(goes(one)));
}

/** Returns the path of a file that the user changed meanwhile, or `null`. */
function bringFiles(tree: WorkTree, plan: Plan): string | null {
  const folder = landingFolder(tree);
  const whole = bringFolders(tree, folder, plan);
  for (const at of inOrder(plan)) {
    if (whole.has(at)) continue;
    const path = absolute(tree, (plan.files[at]?.path ?? '') as BytePath).toString('utf8');
    if (ownWrite([path], () => bringFile(tree, folder, plan, at))) return plan.files[at]?.path ?? '';
  }
  return null;
}

/** Renames whole new folders; if something else appeared there, its files come singly. @returns Indexes placed. */
function bringFolders(tree: WorkTree, folder: string, { files, isHere }: Plan): ReadonlySet<number> {
  const found = lstatOnce(tree);
  const inside = new Map<BytePath, number[]>();
  for (const [at, { path, had, want }] of files.entries()) {
    if (!isHere || had !== 'nothing' || hasNoFile(want)) continue;
    const above = foldersAbove(path as BytePath);
    const first = above.findIndex((one) => found(one) === null);
    const top = above[first];
    if (top === undefined || handsDown(found(above[first - 1] ?? ('.' as BytePath)))) continue;
    const places = inside.get(top);
    if (places === undefined) inside.set(top, [at]);
    else places.push(at);
  }
  const came = [...inside].filter(([top, places]) => {
    const paths = places.map((at) => absolute(tree, (files[at]?.path ?? '') as BytePath).toString('utf8'));
    return ownWrite(paths, () => tryRename(newFile(folder, top), absolute(tree, top)));
  });
  return new Set(came.flatMap(([, places]) => places));
}

/** Whether new entries inherit the folder's group, which renamed ones don't. */
function handsDown(folder: BigIntStats | null): boolean {
  return folder === null || (folder.mode & 0o2000n) !== 0n;
}

/** Returns false when the target exists or the source is gone. */
function tryRename(from: Buffer, to: Buffer): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EEXIST', 'ENOTEMPTY', 'ENOTDIR', 'ENOENT'].includes(code)) throw error;
    return false;
  }
}

function bringFile(tree: WorkTree, folder: string, { files, isHere }: Plan, at: number): boolean {
  const file = files[at];
  if (file === undefined || !isHere || file.had === file.want) return false;
  const path = absolute(tree, file.path as BytePath);
  const coming = newFile(folder, file.path);
  const isFile = file.want !== 'nothing' && file.want !== 'folder';
  if (isFile && file.had === 'nothing' && putNew(coming, path)) return false;
  const is = contentOf(path);
  if (is === file.want) return false;
  // A file placed with its folder before a kill was changed or removed since.
  if (isFile && lstatOrNull(coming) === null) return true;
  // An empty folder may remain where a file comes.
  if (is === 'folder' && file.want !== 'nothing') removeEmpty(path);
  else if (is !== file.had && !(is === 'nothing' && hasNoFile(file.had))) return true;
  const aside = asideFile(folder, at);
  forget(aside);
  // The old file keeps a second name, so that an editor's write at this moment isn't lost.
  if (is !== 'nothing' && is !== 'folder') linkSync(path, aside);
  if (file.want === 'nothing') {
    if (is === 'folder') rmdirSync(path);
    else unlinkSync(path);
    removeEmptyAbove(tree, path);
  } else if (file.want === 'folder') {
    // A submodule lands as an empty folder: you fetch its content yourself.
    if (is !== 'nothing') unlinkSync(path);
    mkdirSync(path, { recursive: true });
  } else {
    if (is === 'nothing' || is === 'folder') mkdirSync(folderOf(path), { recursive: true });
    const second = join(folder, 'coming');
    forget(second);
    linkSync(coming, second);
    renameSync(second, path);
  }
  return is !== 'nothing' && is !== 'folder' && contentOf(Buffer.from(aside)) !== is;
}

/** Puts a new file in place; returns false when something exists there. */
function putNew(file: Buffer, path: Buffer): boolean {
  const put = () => {
    try {
      linkSync(file, path);
      return null;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!['EEXIST', 'ENOENT', 'ENOTDIR'].includes(code)) throw error;
      return code;
    }
  };
  const failed = put();
  if (failed !== 'ENOENT') return failed === null;
  if (lstatOrNull(file) === null) return false;
  mkdirSync(folderOf(path), { recursive: true });
  return put() === null;
}

function forget(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) unlinkSync(file);
}

/** A submodule that isn't checked out has an empty folder. */
function isEmptyFolder(path: Buffer): boolean {
  return contentOf(path) === 'folder' && readdirSync(path).length === 0;
}

function folderOf(path: Buffer): Buffer {
  return path.subarray(0, path.lastIndexOf(0x2f));
}

function removeEmpty(folder: Buffer): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, encoding: 'buffer' }))
    if (entry.isDirectory()) removeEmpty(Buffer.concat([folder, Buffer.from('/'), entry.name]));
  rmdirSync(folder);
}

/** Git keeps no empty folders either. */
function removeEmptyAbove(tree: WorkTree, path: Buffer): void {
  for (let at = folderOf(path); at.length > Buffer.byteLength(tree.top); at = folderOf(at)) {
    try {
      rmdirSync(at);
    } catch {
      return;
    }
  }
}

async function followIndex(tree: WorkTree, { files, withIndex }: Plan): Promise<void> {
  if (!withIndex) return;
  await readyIndex(tree, nextIndex(tree), async (git) => {
    const entries = files.map(({ path, mode, oid }) => ({ path: path as BytePath, mode, oid }));
    const hidden = await hiddenPaths(tree);
    await setEntries(git, [
      ...entries.filter(({ mode }) => mode === '0'),
      ...entries.filter(({ mode }) => mode !== '0'),
    ]);
    const again = entries
      .filter(({ path, mode }) => hidden.has(path) && mode !== '0')
      .map(({ path }) => path);
    if (again.length > 0) await git(['update-index', '-z', '--skip-worktree', '--stdin'], nulList(again));
    // Fresh times make an edit of this moment show as one.
    await git(['update-index', '-q', '--refresh'], undefined, [1]);
  });
}

/** Restores each file that is still as ralph left it; nothing has landed yet. */
function takeBack(tree: WorkTree, plan: Plan, cause: string | null): LandingStep {
  const folder = landingFolder(tree);
  for (const at of inOrder(plan).toReversed()) {
    const { path, had, want } = plan.files[at] ?? { path: '', had: '', want: '' };
    if (!plan.isHere || had === want) continue;
    const place = absolute(tree, path as BytePath);
    const aside = asideFile(folder, at);
    const isThere = lstatSync(aside, { throwIfNoEntry: false }) !== undefined;
    if (contentOf(place) !== want) continue;
    if (isThere) {
      mkdirSync(folderOf(place), { recursive: true });
      renameSync(aside, place);
    } else if (hasNoFile(had) && want !== 'nothing') {
      if (want === 'folder') removeEmpty(place);
      else unlinkSync(place);
      removeEmptyAbove(tree, place);
    } else if (had === 'folder') mkdirSync(place, { recursive: true });
  }
  endLanding(tree);
  return cause === null ? { kind: 'moved' } : { kind: 'way', path: cause };
}

export function landingId(): Pick<Plan, 'id' | 'by'> {
  return { id: `${process.pid}-${Date.now()}`, by: ownStartTime() };
}

function isUnderWay({ id, by }: Plan): boolean {
  const pid = Number(id.split('-')[0]);
  return pid !== process.pid && isAlive(pid, by);
}

async function isDone(tree: WorkTree, { updates }: Plan): Promise<boolean> {
  const [, name = '', commit = ''] = (updates.find((line) => line.includes('/landed/')) ?? '').split(' ');
  return name !== '' && (await revision(tree, name)) === commit;
}

async function isAtEnd(tree: WorkTree, plan: Plan): Promise<boolean> {
  if (await isDone(tree, plan)) return true;
  return plan.from !== plan.to && (await revision(tree, plan.ref)) === plan.to;
}

/** Finishes or reverts an interrupted landing. @returns false when another git is at work. */
export async function recoverLanding(tree: WorkTree): Promise<boolean> {
  return inLandingTurn(tree, () => recover(tree));
}

async function recover(tree: WorkTree): Promise<boolean> {
  const file = join(landingFolder(tree), PLAN);
  if (!existsSync(file)) return true;
  const plan = Plan.parse(JSON.parse(readFileSync(file, 'utf8')));
  if (isUnderWay(plan)) return false;
  const done = await isDone(tree, plan);
  const lock = indexLockOf(tree);
  const isOwnLock = existsSync(lock) && readFileSync(lock, 'utf8') === holderOf(plan);
  const folder = landingFolder(tree);
  const isBegun = plan.isHere && plan.files.some((one, at) => isTouched(tree, one, asideFile(folder, at)));
  if (!isOwnLock && (existsSync(join(folder, DONE)) || !(isBegun || done))) {
    forgetLanding(tree);
    return true;
  }
  if (!isOwnLock && !lockIndex(tree, holderOf(plan))) return false;
  const tip = await revision(tree, plan.ref);
  if (done || (tip !== null && tip === plan.from)) await bringForward(tree, plan, done);
  else if (tip !== null && (await isReachable(tree, plan.to, tip))) await bringForward(tree, plan, true);
  else takeBack(tree, plan, null);
  return true;
}

function isTouched(tree: WorkTree, { path, had, want }: Plan['files'][number], aside: string): boolean {
  if (had === want) return false;
  const isAside = lstatSync(aside, { throwIfNoEntry: false }) !== undefined;
  return isAside || (hasNoFile(had) && contentOf(absolute(tree, path as BytePath)) === want);
}

/**
 * Brings the checkout's files to a tree without committing or staging. Uses a plan on disk: repeating it after a kill
 * gives the same result.
 * @param now Snapshot of the checkout.
 * @param onto Tree that `wanted` was derived from.
 */
export async function bringTree(
  tree: WorkTree,
  now: Snapshot,
  wanted: string,
  onto = now.tree,
): Promise<TreeBrought> {
  await recoverLanding(tree);
  const changes = await changesFromHead(tree, now.tree, wanted);
  const way = await pathsInTheWay(tree, changes, false);
  if (way.size > 0) return { kind: 'in_the_way', paths: [...way].map(printPath) };
  const ref = await headRef(tree);
  const tip = now.head ?? '';
  const files = await readyFiles(tree, wanted, changes, () => false);
  const plan = {
    ...landingId(),
    updates: [],
    ref,
    from: tip,
    to: tip,
    isHere: true,
    withIndex: false,
    files,
  };
  const brought = await ownChange(tree, async () =>
    beginLanding(tree, plan) ? bringForward(tree, plan, false) : null,
  );
  if (brought === null) return { kind: 'in_the_way', paths: ['.git/index.lock'] };
  if (brought.kind === 'way') return { kind: 'in_the_way', paths: [printPath(brought.path as BytePath)] };
  const submodules = await moveSubmodules(tree, await changesFromHead(tree, onto, wanted));
  return { kind: 'brought', paths: changes.map(({ path }) => printPath(path)), submodules };
}
