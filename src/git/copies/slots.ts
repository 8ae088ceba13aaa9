import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { HOMES_OF_COPY } from 'ralph-box';
import { type MountedCopy, type MountMode, OBJECTS_IN_BOX } from 'ralph-box/protocol';
import { toolOutputOf } from 'ralph-ecosystems';
import { writeFileAtomic } from 'ralph-kit/files/atomic-file';
import { readJson } from 'ralph-kit/files/plain-file';
import { removeTree } from 'ralph-kit/files/remove-tree';
import { isBelow } from 'ralph-kit/paths';
import { processStatus } from 'ralph-kit/programs/table/process-identity';
import { tryOr } from 'ralph-kit/try-or';
import * as z from 'zod/mini';
import { type CleanCopy, type Committed, type TreeCopy, WorkBase } from '../../domain/ports/work.ts';
import { objectText } from '../call/git.ts';
import { type BytePath, bytePath, parsePath, pathIn, printPath } from '../call/git-path.ts';
import { orGitError } from '../call/run-git.ts';
import { absolute, tryLstat, type WorkTree } from '../call/work-tree.ts';
import { changesFromHead } from '../diff/diff.ts';
import { editedTree } from '../objects/questions.ts';
import type { TreeEntry } from '../objects/tree-entries.ts';
import { makeAgentGit } from './agent-git.ts';
import { type Layers, openLayers } from './below.ts';
import { bringIgnored, CLEAN_LAYERS, type Had, WHOLE_LAYERS } from './bring.ts';
import { commitAll, writeFiles } from './commit-all.ts';
import { runCommitHooks } from './commit-hooks.ts';
import { makeModules } from './fill-submodules.ts';
import { nameOwnFolder } from './own-path.ts';
import {
  copyByList,
  ignoredAt,
  isHeldOut,
  listUntracked,
  readIfThere,
  topStamp,
  untrackedEntries,
} from './seed.ts';
import { fillSlot, hideInstructions, indexTo, makeMountPoints, showInstructions } from './slot.ts';

export type WorkSlot = {
  readonly mounted: MountedCopy;
  /** Base of the last reset; `null` for a new copy or an interrupted reset. */
  readonly base: () => WorkBase | null;
  /** Brings the copy to a tree on a base and remakes its git folder. @throws GitError */
  readonly reset: (base: WorkBase, treeId: string) => Promise<Pick<TreeCopy, 'leftOut'>>;
  /** Text of the lock file that the checkout's packages were installed from; `null` without one. */
  readonly installedBy: (path: string) => string | null;
  readonly renewInstructions: () => Promise<void>;
};

export type CopyPlan = {
  /** Returns how copies below the folder are shown. */
  readonly showing: (place: string) => MountMode;
  /** Absolute paths of checkout files shown in place, not copied; hard links to them are refused. */
  readonly leftOut: () => readonly string[];
  /** Absolute paths that no copy has; only one gate sees them. */
  readonly heldOut: () => readonly string[];
  /** Relative paths of untracked, unignored files that copies get, too. */
  readonly seed: readonly string[];
  /** Name of a separate place that ends with this process's id; absent: the runs' place. */
  readonly placeName?: string;
};

/** A work tree's slots, in a folder that is found when it is first needed. */
type Site = {
  readonly tree: WorkTree;
  readonly plan: CopyPlan;
  readonly seeded: readonly BytePath[];
  readonly place: () => string;
  readonly layers: () => Layers;
  readonly installed: Installed;
};

/** What this process does with the slots. */
type Use = {
  /** Numbers of copies that are open. */
  readonly open: ReadonlySet<number>;
  /** Folders of workers' copies. */
  readonly workers: ReadonlySet<string>;
  /** Ignored files by slot, as far as known. */
  readonly filled: ReadonlyMap<string, Had>;
  /** Absolute paths of ignored files of the checkout when a slot was last filled. */
  readonly ignoredPaths: readonly string[];
};

/** Returns the smallest number of a copy that isn't open. */
export function freeNumber(open: ReadonlySet<number>): number {
  let number = 1;
  while (open.has(number)) number += 1;
  return number;
}

/** Whether programs may see a slot's layers. A single worker's agent doesn't run during gates. */
export function isUsed({ open, workers }: Pick<Use, 'open' | 'workers'>, slot: string): boolean {
  return workers.has(slot) ? workers.size > 1 : [...open].some((number) => basename(slot) === `c${number}`);
}

/** Opens the slots of a work tree. @param seeded Untracked files that copies get. */
export function openSlots(
  repository: WorkTree,
  stateHome: string,
  plan: CopyPlan,
  seeded: readonly BytePath[],
) {
  const tree = { ...repository, instructions: () => seeded };
  let use: Use = { open: new Set(), workers: new Set(), filled: new Map(), ignoredPaths: [] };
  const place = once(() => openPlace(tree, stateHome, plan.placeName));
  const site: Site = {
    tree,
    plan,
    seeded,
    place,
    layers: once(() => openLayers(tree, place(), (slot) => isUsed(use, slot))),
    installed: openInstalled(tree, () => join(place(), 'installed.json')),
  };
  const isNotOpen = (number: number) => {
    use = { ...use, open: new Set([...use.open].filter((one) => one !== number)) };
  };
  const shown = (name: string, isClean = false, outside = false) =>
    shownIn(site, name, { isClean, outside, ignored: () => use.ignoredPaths });
  const fill = (mounted: MountedCopy, wanted: Wanted) =>
    fillCopy(site, mounted, { previous: use.filled.get(mounted.folder), ...wanted }, (had, ignoredPaths) => {
      use = { ...use, ignoredPaths, filled: new Map([...use.filled, [mounted.folder, had]]) };
    });
  const open = async (
    treeId: string,
    committed: Committed | undefined,
    clean: Pick<CleanCopy, 'keep' | 'files' | 'outside'> | null,
  ): Promise<TreeCopy> => {
    const number = freeNumber(use.open);
    use = { ...use, open: new Set([...use.open, number]) };
    try {
      const outside = clean?.outside ?? false;
      const mounted = shown(`c${number}`, clean !== null, outside);
      const { base = null } = committed ?? {};
      const how = { keep: clean?.keep ?? null, isCommitted: committed !== undefined, outside };
      const filled = await fill(mounted, { treeId, base, ...how });
      return {
        ...(await copyOf(site, mounted, filled, { treeId, committed, files: clean?.files ?? [], outside })),
        close: () => isNotOpen(number),
      };
    } catch (error) {
      isNotOpen(number);
      throw error;
    }
  };
  const copySize = once(() => bytesIn(Buffer.from(shown('1').folder)));
  return {
    /** Returns a copy of a tree; `Git.copyTree` has its contract. */
    open: (treeId: string, committed?: Committed) => open(treeId, committed, null),
    /** Returns a copy of what would land, in which no agent worked; `Git.cleanCopy` has its contract. */
    openClean: ({ tree: treeId, base, head, ...clean }: CleanCopy) => open(treeId, { base, head }, clean),
    /** Returns how many bytes are free where copies are made, and how many a copy takes; `null`: there is none yet. */
    room: async () => {
      const { folder } = shown('1');
      if (!existsSync(folder)) return null;
      const { bavail, bsize } = statfsSync(folder);
      return { free: bavail * bsize, copy: await copySize() };
    },
    /** Removes all slots and layers; returns their folder. */
    remove: () => {
      removeTree(place());
      return place();
    },
    /** Returns a worker's copy, as the last process left it. */
    work: (worker: number): WorkSlot => {
      const mounted = shown(String(worker));
      use = { ...use, workers: new Set([...use.workers, mounted.folder]) };
      const note = join(mounted.folder, 'base.json');
      // The worker's git starts in this folder, so it has to exist.
      mkdirSync(mounted.files, { recursive: true, mode: 0o700 });
      return {
        mounted,
        base: () => readBase(note, mounted.folder),
        installedBy: site.installed.lockText,
        renewInstructions: async () => {
          const { files, folder, git } = mounted;
          if (git === null) await showInstructions(tree, files, join(folder, 'index'), plan.leftOut());
        },
        // An agent's copy has all ignored files, and shows its changes as changed.
        reset: async (base, treeId) => {
          rmSync(note, { force: true });
          const how = { keep: null, isCommitted: false, outside: false };
          const { leftOut } = await fill(mounted, { treeId, base, ...how });
          writeFileAtomic(note, JSON.stringify(base));
          return { leftOut };
        },
      };
    },
    /** Returns ignored paths of the checkout that clean copies don't get, as `Git.notInstalled` says. */
    notInstalled: async () => (await notInstalled(site)).map(printPath),
  };
}

/** Returns a function that makes a value with its first call, and returns that value from then on. */
function once<T>(make: () => T): () => T {
  const made: T[] = [];
  return () => {
    made[0] ??= make();
    return made[0];
  };
}

function shownIn(
  { tree, plan, place, layers }: Site,
  name: string,
  {
    isClean,
    outside,
    ignored,
  }: Pick<Wanted, 'outside'> & Required<Pick<MountedCopy, 'ignored'>> & { readonly isClean: boolean },
): MountedCopy {
  const folder = join(place(), name);
  const how = plan.showing(place());
  const seed = (isClean ? CLEAN_LAYERS : WHOLE_LAYERS).map((layer) => layers().seenBy(folder, layer));
  const git = { folder: join(folder, 'git'), objects: join(tree.commonDir, 'objects') };
  return {
    folder,
    files: join(folder, 'files'),
    seed: how === 'layers' && !outside ? seed : null,
    ignored,
    git: how === 'elsewhere' ? null : git,
  };
}

/** Returns absolute paths as paths below the top. */
function insideTop({ tree }: Site, paths: readonly string[]): BytePath[] {
  return paths
    .filter((path) => isBelow(path, tree.top))
    .map((path) => bytePath(Buffer.from(relative(tree.top, path))));
}

/** Returns the paths that differ from the commit on purpose: instructions, held-out files and seeded ones. */
function hiddenIn(site: Site): BytePath[] {
  const { plan, seeded } = site;
  return [...insideTop(site, [...plan.leftOut(), ...plan.heldOut()]), ...seeded];
}

type Wanted = {
  readonly treeId: string;
  readonly base: WorkBase | null;
  /** Ignored paths and patterns kept in a clean copy; `null` keeps all. */
  readonly keep: readonly string[] | null;
  /** Whether git in the copy sees everything as committed. */
  readonly isCommitted: boolean;
  /** Whether programs see the copy at its own path instead of at the checkout's. */
  readonly outside: boolean;
};

type Filled = Awaited<ReturnType<typeof fillCopy>>;

/** Brings a copy to a tree. @param onFilled Receives the ignored files as soon as the copy has them. */
async function fillCopy(
  site: Site,
  { folder, files, git }: MountedCopy,
  { treeId, base, keep, isCommitted, outside, previous }: Wanted & { readonly previous: Had | undefined },
  onFilled: (had: Had, ignoredPaths: readonly string[]) => void,
) {
  const { tree, plan, seeded, installed } = site;
  const leftOut = plan.leftOut();
  const heldOut = insideTop(site, plan.heldOut());
  hideInstructions(tree, files, leftOut);
  removeTree(join(folder, HOMES_OF_COPY));
  let [stamp, had] = ['', ''];
  const bring = async (index: string) => {
    const ignored = await untrackedEntries(tree, index, { leftOut, seeded, heldOut });
    stamp = topStamp(tree, ignored);
    installed.noteIgnored(stamp);
    const listed = await ignoredAt(tree, index, keep ?? []);
    const paths = listed.filter((path) => !isHeldOut(path, heldOut));
    const kept = keep === null || base === null ? null : { paths, commit: base.commit };
    const showing = outside ? 'elsewhere' : plan.showing(site.place());
    const slot = { tree, layers: site.layers(), folder, files, index, showing, previous };
    const brought = await bringIgnored(slot, ignored, kept);
    had = brought.text ?? '';
    onFilled(
      brought,
      ignored.entries.map((path) => absolute(tree, path).toString('utf8')),
    );
    return brought;
  };
  const result = await fillSlot(tree, folder, {
    treeId,
    bring,
    base: isCommitted ? treeId : (base?.tree ?? treeId),
    hidden: isCommitted ? hiddenIn(site) : [],
  });
  const index = join(folder, 'index');
  makeMountPoints(tree, files);
  const objects = git === null ? join(tree.commonDir, 'objects') : OBJECTS_IN_BOX;
  const gitFolder = git?.folder ?? join(files, '.git');
  await makeAgentGit(tree, { folder: gitFolder, index, objects, base });
  await makeModules(tree, result.submodules, { files, folder, git: gitFolder, isBoxed: git !== null });
  if (git === null) await showInstructions(tree, files, index, leftOut);
  return { ...result, had, ignored: `${stamp}\n${had}` };
}

/** Returns ignored paths that clean copies don't get. */
async function notInstalled(site: Site): Promise<BytePath[]> {
  const { tree, plan, seeded } = site;
  const heldOut = insideTop(site, plan.heldOut());
  const { entries, clean } = await untrackedEntries(tree, join(tree.gitDir, 'index'), {
    leftOut: plan.leftOut(),
    seeded,
    heldOut,
  });
  return entries.filter((path) => !clean.includes(path) && !isHeldOut(path, heldOut));
}

type Copied = Pick<CleanCopy, 'files' | 'outside'> & {
  readonly treeId: string;
  readonly committed: Committed | undefined;
};

/** Returns a filled copy, with files written over those of its tree. */
async function copyOf(
  site: Site,
  mounted: MountedCopy,
  { changed, leftOut, submodules, ignored, had }: Filled,
  { treeId, committed, files, outside }: Copied,
): Promise<Omit<TreeCopy, 'close'>> {
  const { tree, installed } = site;
  writeFiles(mounted.files, files);
  if (committed !== undefined) {
    const git = mounted.git?.folder ?? join(mounted.files, '.git');
    await commitAll(tree, { ...mounted, git }, committed, { treeId, files, hidden: hiddenIn(site) });
  }
  // Layers hold the ignored files, so untracked files are only those just written.
  const before = mounted.seed === null ? await newIn(tree, mounted) : [];
  const openedAt = Date.now();
  const isKept = (path: BytePath) => had.includes(` ./${path}/`) || had.includes(` ./${path}\0`);
  return {
    mounted,
    changed,
    leftOut,
    ignored,
    installed: { lockText: installed.lockText, note: () => undefined },
    createdPaths: async () => (await newIn(tree, mounted)).filter((path) => !before.includes(path)),
    builtAnew: async () => {
      const paths = (await notInstalled(site)).filter((path) => !isKept(path));
      return builtSince(mounted.files, openedAt, paths);
    },
    watch: (paths) => watchFiles(mounted.files, paths),
    treeWith: (paths) => treeWith({ ...tree, top: mounted.files }, treeId, paths),
    commitHooks: async (message, paths) => {
      if (committed === undefined) return { kind: 'none' };
      const { base } = committed;
      await indexTo(tree, mounted.folder, base.tree);
      const there = { ...tree, top: mounted.files, place: mounted.folder };
      const wanted = new Set(paths.map(parsePath));
      const all = await changesFromHead(tree, base.tree, treeId);
      const changes = all.filter(({ path }) => wanted.has(path));
      return runCommitHooks(there, tree.top, mounted, { base, message, changes, submodules });
    },
    bring: (paths, from) => {
      const brought = paths.map((path) => bytePath(Buffer.from(path)));
      copyByList({ ...tree, top: from.files }, brought, mounted.files, '-a');
      if (outside || mounted.git === null)
        for (const named of [from.files, tree.top]) nameOwnFolder(named, mounted.files, brought);
    },
  };
}

/** Returns folders with files written since `at` (milliseconds), except tool output. */
function builtSince(files: string, at: number, paths: readonly BytePath[]) {
  const countIn = (path: string): number => {
    const found = tryLstat(pathIn(files, path));
    if (found === null || !found.isDirectory()) return found !== null && found.ctimeMs >= at ? 1 : 0;
    const names = readdirSync(pathIn(files, path), { encoding: 'latin1' });
    return names.reduce((sum, name) => sum + countIn(`${path}/${name}`), 0);
  };
  return paths.flatMap((path) => {
    const count = toolOutputOf(printPath(path)) === null ? countIn(path) : 0;
    return count === 0 ? [] : { path: printPath(path), files: count };
  });
}

async function newIn(repository: WorkTree, { files, folder }: MountedCopy): Promise<string[]> {
  const tree = { ...repository, top: files };
  return (await listUntracked(tree, join(folder, 'index'), 'not_ignored')).map(printPath);
}

async function treeWith(tree: WorkTree, treeId: string, paths: readonly string[]): Promise<string | null> {
  const entries = new Map<BytePath, TreeEntry>();
  for (const path of paths) {
    const file = join(tree.top, path);
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null;
    const args = ['hash-object', '-w', '--stdin', '--path', path];
    const oid = await objectText(tree, args, { input: readFileSync(file) });
    entries.set(parsePath(path), { mode: '100644', oid });
  }
  return editedTree(tree, treeId, entries);
}

async function bytesIn(folder: Buffer): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    const path = Buffer.concat([folder, Buffer.from('/'), entry.name]);
    if (entry.isDirectory()) bytes += await bytesIn(path);
    else bytes += ((await lstat(path).catch(() => null))?.blocks ?? 0) * BLOCK;
  }
  return bytes;
}

/** Unit of `stat`'s block count, in bytes. */
const BLOCK = 512;

/** Reads a slot's note on its base; `null` when the slot was left incomplete. */
function readBase(note: string, folder: string): WorkBase | null {
  if (!existsSync(join(folder, 'ready'))) return null;
  return readJson(note, WorkBase);
}

/** Returns the slots' folder on the checkout's disk, as hard links need the same disk. */
function openPlace(tree: WorkTree, stateHome: string, apart: string | undefined): string {
  const { top, gitDir, commonDir } = tree;
  orGitError(stateHome, () => mkdirSync(stateHome, { recursive: true, mode: 0o700 }));
  const base = statSync(stateHome).dev === statSync(top).dev ? stateHome : join(commonDir, 'ralph');
  const place = join(base, 'slots', apart ?? (gitDir === commonDir ? 'main' : basename(gitDir)));
  if (apart !== undefined) removeForsaken(join(base, 'slots'));
  const { dev, ino } = statSync(gitDir);
  const owner = `${dev} ${ino}\n`;
  const file = join(place, 'of');
  if (readIfThere(file) === owner) return place;
  // A new repository at the same path shares nothing with the old one, so old copies are removed.
  orGitError(place, () => {
    removeTree(place);
    mkdirSync(place, { recursive: true, mode: 0o700 });
    // Atomic: a reader of half a file would take a running run's copies for another repository's.
    writeFileAtomic(file, owner, { mode: 0o600 });
  });
  return place;
}

const APART = /^apart-.*-(\d+)$/;

/** Removes places left by killed processes. */
function removeForsaken(folder: string): void {
  for (const name of tryOr([], () => readdirSync(folder))) {
    const pid = Number(APART.exec(name)?.[1] ?? 0);
    if (pid > 0 && processStatus(pid).kind === 'gone') removeTree(join(folder, name));
  }
}

const Known = z.object({
  /** Ignored files of the checkout at that time. */
  stamp: z.string(),
  /** Lock file texts by path; `null` when the file didn't exist. */
  locks: z.record(z.string(), z.nullable(z.string())),
});
type Known = z.infer<typeof Known>;

type Installed = ReturnType<typeof openInstalled>;

/** Opens the record of lock files that a checkout's packages were installed from. @param file Returns its path. */
function openInstalled(tree: WorkTree, file: () => string) {
  const read = () => readJson(file(), Known);
  const write = (known: Known) => writeFileAtomic(file(), JSON.stringify(known));
  return {
    /** Records the ignored files: when they changed, packages were installed from the current lock files. */
    noteIgnored: (stamp: string) => {
      if (read()?.stamp !== stamp) write({ stamp, locks: {} });
    },
    /** Returns a lock file as first read; landing changes the file without installing anything. */
    lockText: (path: string): string | null => {
      const known = read();
      const before = known?.locks[path];
      if (before !== undefined) return before;
      const now = readIfThere(join(tree.top, path));
      if (known !== null) write({ ...known, locks: { ...known.locks, [path]: now } });
      return now;
    },
  };
}

/** Returns files written since, with their content; see `TreeCopy.watch`. */
function watchFiles(
  folder: string,
  paths: readonly string[],
): () => { readonly path: string; readonly text: string | null }[] {
  const before = new Map(paths.map((path) => [path, stampOf(join(folder, path))]));
  return () =>
    [...before].flatMap(([path, stamp]) => {
      const file = join(folder, path);
      if (stampOf(file) === stamp) return [];
      return [{ path, text: readIfThere(file) }];
    });
}

/** Returns a value that changes with each write: programs can't set the change time. */
function stampOf(file: string): string {
  const found = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : `${found.ino} ${found.ctimeNs}`;
}
