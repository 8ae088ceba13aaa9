import { existsSync, lstatSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { makeProvenFolder } from 'ralph-kit/files/proven-folder';
import { tryOr } from 'ralph-kit/try-or';
import type { Snapshot } from '../../domain/change-set.ts';
import { GitError } from '../../domain/ports.ts';
import { copyIndex, type IndexGit, indexGit, objectGit, objectText } from '../call/git.ts';
import { type BytePath, nulList, printPath } from '../call/git-path.ts';
import { GitStopped } from '../call/run-git.ts';
import {
  absolute,
  fileMode,
  leftFoldersIn,
  ownFolderIn,
  ownPaths,
  privateFolder,
  tryLstat,
  type WorkTree,
} from '../call/work-tree.ts';
import { finishPending } from '../commit/commit-edit.ts';
import { entriesIn } from '../objects/users-index.ts';
import {
  fillIndex,
  forceRemove,
  type IndexContent,
  inspectIndex,
  setEntries,
  showPresent,
  writeTree,
} from '../read/index-content.ts';
import {
  entriesInside,
  inLinkedTrees,
  newGitlinks,
  openSubmodules,
  type Pin,
  refreshGitlinks,
  type Submodules,
} from '../read/nested.ts';
import { parsePaths, parseStatus, type Status } from '../read/parse-status.ts';
import { claimIndex, hashOfIndex, type IndexBelief, noteIndex, stampOfIndex } from './index-record.ts';

type Site = {
  readonly tree: WorkTree;
  readonly settings: SnapshotSettings;
  readonly files: PrivateFiles;
  readonly git: IndexGit;
  readonly submodules: Submodules;
};

export type Snapshots = Pick<Site, 'tree' | 'files' | 'submodules'> & {
  /** Throws a GitError when git can't store the content, for example on a full disk. */
  readonly take: () => Promise<Snapshot>;
  /** Leaves the private index to the next process. */
  readonly close: () => void;
};

const ALL_UNTRACKED = ['status.showUntrackedFiles=all'];

/** State of the private index between two snapshots. */
type Warm = IndexContent & {
  /** Tree of the index; `null` before the first write. */
  tree: string | null;
  /** Index file as ralph left it; any difference means that another program wrote it. */
  stamp: string;
  /** Last read of the work tree in seconds, which becomes the index file's time. */
  readAt: number;
  recent: Recent;
};

/**
 * Takes snapshots of a work tree: `git status` against a private index finds changes, only those are hashed, and a
 * tree is written only after a change.
 * @param copied Submodules of a copy.
 */
export function openSnapshots(
  tree: WorkTree,
  settings: SnapshotSettings,
  place: string,
  pin: Pin,
  copied?: Submodules,
): Snapshots {
  const folder = ownFolderIn(privateFolder(tree), 'snapshot');
  const files = { folder, index: join(folder, 'index'), passingIndex: join(folder, 'passing-index') };
  const purpose = { kind: 'private-index', tree, index: files.index } as const;
  const git = indexGit(purpose);
  const submodules =
    copied ?? openSubmodules(tree, pin, (inner) => openSnapshots(inner, settings, place, pin));
  const site: Site = { tree, settings, files, git, submodules };
  let warm: Warm | null = null;

  const take: Snapshots['take'] = async () => {
    if (warm === null) await finishPending(tree);
    makeProvenFolder(tree.place ?? tree.gitDir, files.folder);
    rmSync(`${files.index}.lock`, { force: true });
    try {
      if (warm === null) {
        const origin = firstIndex(tree, files, claimIndex(tree, place));
        if (origin === 'none') await fillIndex(tree, git, null);
        warm = await prepareFrom(site, origin);
      } else if (warm.stamp !== stampOfIndex(files.index)) {
        // Another program wrote the private index, so it is remade from ralph's last tree.
        const { tree: last, sparse } = warm;
        rmSync(files.index, { force: true });
        await fillIndex(tree, git, last === null ? null : { tree: last, sparse });
        warm = await prepareFrom(site, 'none');
      }
      return await update(site, warm);
    } catch (error) {
      if (!(error instanceof GitError) || error instanceof GitStopped) throw error;
      // The index or its objects are damaged, so everything is read and stored again.
      warm = await prepareFrom(site, 'nothing');
      return await update(site, warm);
    }
  };
  const close = () => {
    submodules.close();
    if (warm?.stamp === stampOfIndex(files.index)) noteIndex(tree, place, files.index);
  };
  return { tree, take, close, files, submodules };
}

async function prepareFrom(
  { tree, git, files }: Site,
  origin: ReturnType<typeof firstIndex> | 'nothing',
): Promise<Warm> {
  if (origin === 'nothing') rmSync(files.index, { force: true });
  const readAt = Number((tryLstat(files.index)?.mtimeNs ?? 0n) / 1_000_000_000n);
  const state = await inspectIndex(tree, files.index, git, origin === 'adopted');
  const recent = origin === 'copied' ? recentFiles(tree, state.paths) : new Map();
  return { ...state, tree: null, stamp: '', readAt, recent };
}

async function update(site: Site, index: Warm): Promise<Snapshot> {
  const { tree, git, files } = site;
  let changed = await refreshGitlinks(git, site.submodules, index);
  await showPresent(tree, git, index);
  // git forgets what it knows of recently written files before they are read, so that an edit at this moment is
  // noticed.
  await forgetStat(site, rewrittenSince(tree, index.recent));
  const hashed: BytePath[] = [];
  const entered = new Set<BytePath>();
  for (;;) {
    backdate(files.index, index.readAt);
    index.readAt = Math.floor(Date.now() / 1000);
    const status = await readStatus(site, entered.size === 0);
    const work = await planUpdate(site, index, status, entered);
    refuseSparse(tree, work.add);
    const { add, remove, links } = work;
    if (add.length + remove.length + links.length > 0) {
      changed = true;
      await forceRemove(git, remove);
      await setEntries(git, links);
      await addFiles(site, index, add);
      hashed.push(...add);
    }
    // Git walks into a newly entered repository only at the next status.
    if (work.again) continue;
    // An unreferenced tree may have been pruned, so it is stored again.
    if (changed || index.tree === null || !isLoose(tree, index.tree)) index.tree = await writeTree(git);
    index.recent = recentFiles(tree, [...index.recent.keys(), ...hashed]);
    backdate(files.index, index.readAt);
    index.stamp = stampOfIndex(files.index);
    return { tree: index.tree, head: status.head, branch: status.branch };
  }
}

/** Recently written objects have their own files. */
function isLoose({ commonDir, passing }: WorkTree, id: string): boolean {
  return existsSync(join(passing ?? join(commonDir, 'objects'), id.slice(0, 2), id.slice(2)));
}

async function planUpdate(site: Site, index: Warm, status: Status, entered: Set<BytePath>) {
  const { tree } = site;
  const remove = [...status.deleted];
  const addPaths = [...status.untracked];
  for (const path of status.changed) {
    // A tree can't hold a pipe or a repository in place of a file, so they count as deleted.
    const now = tryLstat(absolute(tree, path));
    const isHeld = now === null || now.isFile() || now.isSymbolicLink() || index.gitlinks.has(path);
    (isHeld ? addPaths : remove).push(path);
  }
  const isLinked = inLinkedTrees(tree);
  const isOwn = ownPaths(tree);
  const isApart = (path: BytePath) => isOwn(path) || isLinked(path);
  // The trailing slash makes a folder count as being inside itself.
  const repositories = status.repositories.filter((path) => !isApart(`${path}/` as BytePath));
  const links = await newGitlinks(site.submodules, index, repositories);
  const inside = repositories.filter((path) => !index.gitlinks.has(path) && !entered.has(path));
  for (const path of inside) entered.add(path);
  links.push(...(await entriesInside(tree, inside)));
  const again = inside.length > 0;
  return { add: addPaths.filter((path) => !isApart(path)), remove, links, again };
}

async function addFiles({ tree, git, files }: Site, index: Warm, paths: readonly BytePath[]): Promise<void> {
  if (paths.length === 0) return;
  try {
    await git(['update-index', '-z', '--add', '--remove', '--stdin'], nulList(paths));
  } catch (error) {
    if (!(error instanceof GitError) || error instanceof GitStopped) throw error;
    await addByHand(tree, git);
    Object.assign(index, await inspectIndex(tree, files.index, git, false));
  }
}

/**
 * Asks git what differs from the index.
 * @param cached Must be false after a nested repository was added, which git's cache of untracked files doesn't know.
 */
async function readStatus(site: Site, cached: boolean): Promise<Status> {
  const uncached = cached ? [] : ['core.untrackedCache=false'];
  const status = await statusBy(site.git, [...ALL_UNTRACKED, ...uncached]);
  return { ...status, untracked: [...status.untracked, ...(await includedFiles(site))] };
}

async function statusBy(git: IndexGit, settings: readonly string[]): Promise<Status> {
  const config = settings.flatMap((setting) => ['-c', setting]);
  const options = ['--porcelain=v2', '-z', '--branch', '--no-ahead-behind', '--ignore-submodules=all'];
  return parseStatus((await git([...config, 'status', ...options])).stdout);
}

async function includedFiles({ tree, settings, files }: Site): Promise<BytePath[]> {
  if (settings.includeIgnored.length === 0) return [];
  const patterns = settings.includeIgnored.map((pattern) => `:(top,glob)${pattern}`);
  const listed = await objectGit(
    tree,
    ['ls-files', '-z', '-o', '-i', '--exclude-standard', '--', ...patterns],
    {
      env: { GIT_INDEX_FILE: files.index, GIT_LITERAL_PATHSPECS: '0' },
    },
  );
  const isOwn = ownPaths(tree);
  return parsePaths(listed.stdout).filter((path) => !path.endsWith('/') && !isOwn(path));
}

/**
 * Handles files that `git update-index` rejects: `git add -A` takes what it can; others are stored as raw bytes
 * (failing filter) or, when unreadable, as a note that changes with the file.
 */
async function addByHand(tree: WorkTree, git: IndexGit): Promise<void> {
  const added = await git(['add', '-A', '--ignore-errors'], undefined, [1, 128]);
  if (added.code === 0) return;
  const status = await statusBy(git, ALL_UNTRACKED);
  const entries = [];
  for (const path of [...status.changed, ...status.untracked]) {
    const found = tryLstat(absolute(tree, path));
    if (found?.isFile() !== true) continue;
    const text = printPath(path);
    const raw = await objectText(tree, ['hash-object', '-w', '--no-filters', '--', text], { answers: [128] });
    const input = `ralph could not read ${text}: ${found.size} ${found.ctimeNs}\n`;
    const oid = raw || (await objectText(tree, ['hash-object', '-w', '--stdin'], { input }));
    entries.push({ mode: fileMode(found), oid, path });
  }
  await setEntries(git, entries);
}

async function forgetStat({ tree, git, files }: Site, paths: readonly BytePath[]): Promise<void> {
  if (paths.length === 0) return;
  const wanted = new Set(paths);
  const entries = await entriesIn(tree, files.index, git);
  await setEntries(
    git,
    entries.filter((entry) => wanted.has(entry.path)),
  );
}

/** Git rereads files that aren't older than the index; a time after the reading would hide changes in between. */
function backdate(file: string, seconds: number): void {
  const found = tryLstat(file);
  if (found !== null && found.mtimeNs > BigInt(seconds) * 1_000_000_000n) utimesSync(file, seconds, seconds);
}

/** Recently changed files with their change time in milliseconds, as precise as the system reports. */
type Recent = ReadonlyMap<BytePath, number>;

/** Longer than git's time resolution of a second and the system clock's resolution. */
const WINDOW_MS = 2000;

/**
 * Returns files that could change unnoticed: git compares change times in seconds, so it misses a second edit within
 * a second with the same size and a restored modification time. Fractions of seconds reveal it.
 */
export function recentFiles(tree: WorkTree, paths: Iterable<BytePath>): Recent {
  const since = Date.now() - WINDOW_MS;
  const times = [...new Set(paths)].map((path) => [path, changedAt(tree, path)] as const);
  return new Map(times.flatMap(([path, at]) => (at === null || at < since ? [] : [[path, at] as const])));
}

export function rewrittenSince(tree: WorkTree, recent: Recent): BytePath[] {
  return [...recent].flatMap(([path, at]) => {
    const now = changedAt(tree, path);
    return now === null || now === at || secondOf(now) !== secondOf(at) ? [] : [path];
  });
}

function secondOf(ms: number): number {
  return Math.floor(ms / 1000);
}

/** Returns `null` when the file is missing or unreadable. */
function changedAt(tree: WorkTree, path: BytePath): number | null {
  try {
    // Big integers take twice as long for thousands of files, so no nanoseconds.
    return lstatSync(absolute(tree, path), { throwIfNoEntry: false })?.ctimeMs ?? null;
  } catch {
    return null;
  }
}

type PrivateFiles = {
  readonly folder: string;
  readonly index: string;
  /** An index for one commit or one kept tree. */
  readonly passingIndex: string;
};

/** Starts with an earlier process's index, or a copy of the user's at first; removes other leftovers. */
function firstIndex(
  tree: WorkTree,
  { index }: PrivateFiles,
  belief: IndexBelief,
): 'adopted' | 'copied' | 'none' {
  rmSync(index, { force: true });
  const left = leftFoldersIn(privateFolder(tree), 'snapshot').map((one) => join(one, 'index'));
  const believed = left.find((one) => belief.kind === 'hash' && hashOfIndex(one) === belief.sha256);
  // Two processes may want the same index that was left behind; only one of them succeeds in renaming it.
  const adopted =
    believed !== undefined &&
    tryOr(false, () => {
      renameSync(believed, index);
      return true;
    });
  for (const one of left) rmSync(join(one, '..'), { recursive: true, force: true });
  if (adopted) return 'adopted';
  return belief.kind === 'first' && copyUsersIndex(join(tree.gitDir, 'index'), index) ? 'copied' : 'none';
}

/** Returns false when there is nothing to copy; copying a pipe would never end. */
function copyUsersIndex(from: string, to: string): boolean {
  try {
    if (!statSync(from).isFile()) return false;
    copyIndex(from, to);
    return true;
  } catch {
    rmSync(to, { force: true });
    return false;
  }
}

export type SnapshotSettings = {
  /** Patterns of ignored files to include. @see gitglossary(7), pathspec, "glob" */
  readonly includeIgnored: readonly string[];
};

/** A file that isn't stored; the message names it and what to do. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
}

/** A sparse file takes no space until it is read and stored; in bytes. */
const SPARSE_FROM = 1n << 30n;
const BLOCK = 512n;

/** Refuses sparse files, whose content would fill the disk. @throws FileTooLarge */
export function refuseSparse(tree: WorkTree, paths: readonly BytePath[]): void {
  for (const path of paths) {
    const found = tryLstat(absolute(tree, path));
    if (found?.isFile() !== true) continue;
    const size = `${(Number(found.size) / 1024 / 1024).toFixed(0)} MiB`;
    if (found.size < SPARSE_FROM || found.blocks * BLOCK >= found.size / 1000n) continue;
    throw new FileTooLarge(
      `${printPath(path)} has ${size}, but next to nothing of it is on the disk: storing it would fill the disk. Remove it, or name it in .gitignore.`,
    );
  }
}
