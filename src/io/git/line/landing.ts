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
import * as z from 'zod/mini';
import type { Snapshot } from '../../../domain/change-set.ts';
import type { TreeBrought } from '../../../domain/ports.ts';
import { lstatOrNull } from '../../files/plain-file.ts';
import { removeTree } from '../../files/remove-tree.ts';
import { ownWrite } from '../../files/watch-files.ts';
import { isAlive, ownStartTime } from '../../programs/table/process-identity.ts';
import { type BytePath, foldersAbove, nulList, printPath } from '../call/git-path.ts';
import { indexLockOf, lockIndex, readyIndex, replaceIndex, unlockIndex } from '../call/index-lock.ts';
import { absolute, lstatOnce, privateFolder, type WorkTree } from '../call/work-tree.ts';
import { changesFromHead } from '../diff/diff.ts';
import { headRef, isReachable, moveRefs, revision } from '../objects/questions.ts';
import { GITLINK, type RawChange } from '../objects/raw-change.ts';
import { setEntries } from '../read/index-content.ts';
import { inLandingTurn, ownChange } from '../repository/own-change.ts';
import { hiddenPaths, pathsInTheWay } from './in-the-way.ts';
import { moveSubmodules } from './move-submodules.ts';
import { writeNewFiles } from './new-files.ts';

const File = z.object({
  /** One character for each byte. */
  path: z.string(),
  /** Contents, as `contentOf` tells them apart. */
  had: z.string(),
  want: z.string(),
  /** Of the new entry in the user's index; a mode of 0: none. */
  mode: z.string(),
  oid: z.string(),
});

/** A landing, as it is on disk before anything of the user's is touched. */
const Plan = z.object({
  id: z.string(),
  /** When the process started whose id is in `id`; `null`: the system doesn't say. */
  by: z._default(z.nullable(z.string()), null),
  /** What moves the branch, for `git update-ref --stdin`; and what is true once it has moved. */
  updates: z.array(z.string()),
  ref: z.string(),
  from: z.string(),
  to: z.string(),
  isHere: z.boolean(),
  withIndex: z.boolean(),
  files: z.array(File),
});
export type Plan = z.infer<typeof Plan>;

export type Brought =
  | { readonly kind: 'landed' }
  | { readonly kind: 'way'; readonly path: string }
  | { readonly kind: 'moved' | 'git_works' };

/** The folder of a landing: on the file system of the work tree, as its files come in by rename. */
export function landingFolder(tree: WorkTree): string {
  const sameDevice = lstatSync(tree.gitDir).dev === lstatSync(tree.top).dev;
  return join(sameDevice ? privateFolder(tree) : join(tree.top, '.ralph'), 'landing');
}

/** What a path holds, so that two places can be compared without git. */
export function contentOf(path: Buffer): string {
  const found = lstatOrNull(path);
  if (found === null) return 'nothing';
  if (found.isSymbolicLink()) return `link ${readlinkSync(path, { encoding: 'buffer' }).toString('latin1')}`;
  if (found.isDirectory()) return 'folder';
  if (!found.isFile()) return 'other';
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
  return `${(found.mode & 0o100n) === 0n ? '-' : 'x'} ${hash}`;
}

/** Whether no file of the user's was there. */
function isNoFile(content: string): boolean {
  return content === 'nothing' || content === 'folder';
}

const NEW = 'new';
const ASIDE = 'aside';
const PLAN = 'plan.json';
const DONE = 'done';

/** Makes the new files ready, and says what they replace. */
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
    // What lies in a submodule is the user's, also where the submodule goes.
    const isLeft = status === 'D' && oldMode === GITLINK && !isEmptyFolder(absolute(tree, path));
    if (isHidden(path) || isLeft) return { path, had, want: had, ...entry };
    const want = status === 'D' ? 'nothing' : contentOf(newFile(folder, path));
    return { path, had, want, ...entry };
  });
}

/** @param folder Of the landing: looked up once, as there may be many files. */
function newFile(folder: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${join(folder, NEW)}/`), Buffer.from(path, 'latin1')]);
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

/** The user's index as a landing leaves it, until it takes its place: on the file system of the git folder. */
function nextIndex(tree: WorkTree): string {
  return join(privateFolder(tree), 'users-index');
}

function forgetLanding(tree: WorkTree): void {
  const folder = landingFolder(tree);
  rmSync(nextIndex(tree), { force: true });
  rmSync(join(folder, PLAN), { force: true });
  removeTree(folder);
}

/** What the lock of the user's index says while a landing has it. */
function holderOf({ id }: Pick<Plan, 'id'>): string {
  return `ralph ${id}`;
}

/** Puts a plan on disk and takes the user's index; false: git is at work there, and nothing is left of the plan. */
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

/** Gives the user's index back, and forgets the plan. */
export function endLanding(tree: WorkTree): void {
  unlockIndex(tree);
  forgetLanding(tree);
}

/**
 * Does a plan whose index is locked: files, then the branch, then the user's index, which is made ready before the branch moves, so that
 * nothing but a rename is left to do then. Done once more after a kill it ends the same.
 *
 * @param hasMoved The branch has moved by it already: what differs now is an edit of the user's.
 * @throws The error of git or the system by which it couldn't end; branch, index and files are as they were then.
 */
export async function bringForward(tree: WorkTree, plan: Plan, hasMoved: boolean): Promise<Brought> {
  if (hasMoved) await followIndex(tree, plan);
  else {
    try {
      const way = bringFiles(tree, plan);
      if (way !== null) return takeBack(tree, plan, way);
      await followIndex(tree, plan);
      const moved = plan.updates.length === 0 || (await moveRefs(tree, plan.updates));
      if (!moved && !(await isDone(tree, plan))) return takeBack(tree, plan, null);
    } catch (error) {
      // A git that was stopped may have done its work.
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

/** Places of the files in their plan. What goes away is first: a folder may come in its place. */
function inOrder({ files }: Plan): number[] {
  const goes = (at: number) => files[at]?.want === 'nothing';
  return [...files.keys()].sort((one, other) => Number(goes(other)) - Number(goes(one)));
}

/** Brings the files; the path of one that the user changed in this moment, `null`: there is none. */
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

/**
 * Brings folders that aren't there, each by one rename: where something came in its place meanwhile, that fails, and the files come one by one.
 *
 * @returns Places in the plan of the files that came with them.
 */
function bringFolders(tree: WorkTree, folder: string, { files, isHere }: Plan): ReadonlySet<number> {
  const found = lstatOnce(tree);
  const inside = new Map<BytePath, number[]>();
  for (const [at, { path, had, want }] of files.entries()) {
    if (!isHere || had !== 'nothing' || isNoFile(want)) continue;
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

/** Whether what is made in a folder belongs to its group: what was made elsewhere doesn't. */
function handsDown(folder: BigIntStats | null): boolean {
  return folder === null || (folder.mode & 0o2000n) !== 0n;
}

/** False: something is in its place, or it isn't there any more. */
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

/** Brings one file; true where the user changed it in this moment. */
function bringFile(tree: WorkTree, folder: string, { files, isHere }: Plan, at: number): boolean {
  const file = files[at];
  if (file === undefined || !isHere || file.had === file.want) return false;
  const path = absolute(tree, file.path as BytePath);
  const coming = newFile(folder, file.path);
  const isFile = file.want !== 'nothing' && file.want !== 'folder';
  if (isFile && file.had === 'nothing' && putNew(coming, path)) return false;
  const is = contentOf(path);
  if (is === file.want) return false;
  // It came with its folder before a kill, and was changed or taken away since.
  if (isFile && lstatOrNull(coming) === null) return true;
  // A folder of which all went away may stand where a file comes; the last of it took it along, if nothing else was in it.
  if (is === 'folder' && file.want !== 'nothing') removeEmpty(path);
  else if (is !== file.had && !(is === 'nothing' && isNoFile(file.had))) return true;
  const aside = asideFile(folder, at);
  forget(aside);
  // The old file keeps a second name: what an editor writes into it in this moment isn't lost.
  if (is !== 'nothing' && is !== 'folder') linkSync(path, aside);
  if (file.want === 'nothing') {
    if (is === 'folder') rmdirSync(path);
    else unlinkSync(path);
    removeEmptyAbove(tree, path);
  } else if (file.want === 'folder') {
    // Of a submodule, which the user fetches.
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

/** Puts a new file where nothing is, its folder too where it isn't there; false: something is in its place. */
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

/** Takes away a file that may not be there. */
function forget(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) unlinkSync(file);
}

/** Whether a folder holds nothing: a submodule that isn't checked out. */
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

/** Makes the user's index ready, which follows in these entries alone; it is locked. */
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
    // Times are read from the files, so that an edit of this very moment shows as one.
    await git(['update-index', '-q', '--refresh'], undefined, [1]);
  });
}

/** Nothing has landed yet: each file that is as ralph put it gets its old content back. */
function takeBack(tree: WorkTree, plan: Plan, cause: string | null): Brought {
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
    } else if (isNoFile(had) && want !== 'nothing') {
      if (want === 'folder') removeEmpty(place);
      else unlinkSync(place);
      removeEmptyAbove(tree, place);
    } else if (had === 'folder') mkdirSync(place, { recursive: true });
  }
  endLanding(tree);
  return cause === null ? { kind: 'moved' } : { kind: 'way', path: cause };
}

/** What names the process that lands. */
export function landingId(): Pick<Plan, 'id' | 'by'> {
  return { id: `${process.pid}-${Date.now()}`, by: ownStartTime() };
}

/** Whether another process is at it. */
function isUnderWay({ id, by }: Plan): boolean {
  const pid = Number(id.split('-')[0]);
  return pid !== process.pid && isAlive(pid, by);
}

async function isDone(tree: WorkTree, { updates }: Plan): Promise<boolean> {
  const [, name = '', commit = ''] = (updates.find((line) => line.includes('/landed/')) ?? '').split(' ');
  return name !== '' && (await revision(tree, name)) === commit;
}

/** Whether the branch has moved by a plan. */
async function isAtEnd(tree: WorkTree, plan: Plan): Promise<boolean> {
  if (await isDone(tree, plan)) return true;
  return plan.from !== plan.to && (await revision(tree, plan.ref)) === plan.to;
}

/**
 * Ends or takes back a landing that was cut off.
 *
 * @returns false where it can't be: another git is at work.
 */
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
  return isAside || (isNoFile(had) && contentOf(absolute(tree, path as BytePath)) === want);
}

/**
 * Makes the files of the checkout what a tree holds, as far as that differs from what they hold now. No commit is made and nothing is
 * staged. By a plan on disk: done again after a kill it ends the same.
 *
 * @param now A snapshot of the checkout.
 * @param onto What `wanted` was made of.
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
    ...{ ...landingId(), updates: [], ref, from: tip, to: tip },
    ...{ isHere: true, withIndex: false, files },
  };
  const brought = await ownChange(tree, async () =>
    beginLanding(tree, plan) ? bringForward(tree, plan, false) : null,
  );
  if (brought === null) return { kind: 'in_the_way', paths: ['.git/index.lock'] };
  if (brought.kind === 'way') return { kind: 'in_the_way', paths: [printPath(brought.path as BytePath)] };
  const submodules = await moveSubmodules(tree, await changesFromHead(tree, onto, wanted));
  return { kind: 'brought', paths: changes.map(({ path }) => printPath(path)), submodules };
}
