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
import { removeTree } from 'ralph-kit/files/remove-tree';
import { isBelow } from 'ralph-kit/paths';
import { processStatus } from 'ralph-kit/programs/table/process-identity';
import { tryOr } from 'ralph-kit/try-or';
import * as z from 'zod/mini';
import { type CleanCopy, type Committed, type TreeCopy, WorkBase } from '../../domain/ports/work.ts';
import { objectText } from '../call/git.ts';
import { type BytePath, bytePath, parsePath, printPath } from '../call/git-path.ts';
import { orGitError } from '../call/run-git.ts';
import { absolute, lstatQuietly, type WorkTree } from '../call/work-tree.ts';
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

export type Slots = {
  /** Returns a copy of a tree; `Git.copyTree` has its contract. */
  readonly open: (treeId: string, committed?: Committed) => Promise<TreeCopy>;
  /** Returns a copy of what would land, in which no agent worked; `Git.cleanCopy` has its contract. */
  readonly openClean: (copy: CleanCopy) => Promise<TreeCopy>;
  /** Returns ignored paths of the checkout that clean copies don't get, as `Git.notInstalled` says. */
  readonly notInstalled: () => Promise<readonly string[]>;
  /** Returns a worker's copy, as the last process left it. */
  readonly work: (worker: number) => WorkSlot;
  /** Returns how many bytes are free where copies are made, and how many a copy takes; `null`: there is no copy yet. */
  readonly room: () => Promise<{ readonly free: number; readonly copy: number } | null>;
  /** Removes all slots and layers; returns their folder. */
  readonly remove: () => string;
};

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

/** Opens the slots of a work tree. @param seeded Untracked files that copies get. */
export function openSlots(
  repository: WorkTree,
  stateHome: string,
  plan: CopyPlan,
  seeded: readonly BytePath[],
): Slots {
  const tree = { ...repository, instructions: () => seeded };
  const inUse = new Set<number>();
  const handedOut = new Set<string>();
  /** Ignored files of slots, known to this process. */
  const filled = new Map<string, Had>();
  let ignoredPaths: readonly string[] = [];
  let place: string | null = null;
  const installed = openInstalled(tree, () => join(placeOf(), 'installed.json'));

  const heldOutIn = () =>
    plan
      .heldOut()
      .filter((path) => isBelow(path, tree.top))
      .map((path) => bytePath(Buffer.from(relative(tree.top, path))));

  const placeOf = () => {
    place ??= openPlace(tree, stateHome, plan.placeName);
    return place;
  };

  // A single worker's agent doesn't run during gates.
  const isUsed = (slot: string) =>
    handedOut.has(slot) ? handedOut.size > 1 : [...inUse].some((number) => slot === slotOf(`c${number}`));
  const slotOf = (name: string) => join(placeOf(), name);
  let layers: Layers | null = null;
  const layersOf = () => {
    layers ??= openLayers(tree, placeOf(), isUsed);
    return layers;
  };

  const shownIn = (name: string, isClean = false, outside = false): MountedCopy => {
    const folder = slotOf(name);
    const how = plan.showing(placeOf());
    const isElsewhere = how === 'elsewhere';
    const seed = (isClean ? CLEAN_LAYERS : WHOLE_LAYERS).map((layer) => layersOf().seenBy(folder, layer));
    return {
      folder,
      files: join(folder, 'files'),
      seed: how === 'layers' && !outside ? seed : null,
      ignored: () => ignoredPaths,
      git: isElsewhere ? null : { folder: join(folder, 'git'), objects: join(tree.commonDir, 'objects') },
    };
  };

  /** Paths that differ from the commit on purpose: instructions, held-out files and seeded ones. */
  const hiddenIn = () => [
    ...plan
      .leftOut()
      .filter((path) => isBelow(path, tree.top))
      .map((path) => bytePath(Buffer.from(relative(tree.top, path)))),
    ...heldOutIn(),
    ...seeded,
  ];

  const fill = async (
    mounted: MountedCopy,
    treeId: string,
    base: WorkBase | null,
    { keep, isCommitted, outside }: Filling = AS_WORK,
  ) => {
    const { folder, files, git } = mounted;
    const leftOut = plan.leftOut();
    const heldOut = heldOutIn();
    hideInstructions(tree, files, leftOut);
    removeTree(join(folder, HOMES_OF_COPY));
    let stamp = '';
    const bring = async (index: string) => {
      const ignored = await untrackedEntries(tree, index, { leftOut, seeded, heldOut });
      stamp = topStamp(tree, ignored);
      installed.noteIgnored(stamp);
      ignoredPaths = ignored.entries.map((path) => absolute(tree, path).toString('utf8'));
      const listed = await ignoredAt(tree, index, keep ?? []);
      const paths = listed.filter((path) => !isHeldOut(path, heldOut));
      const kept = keep === null || base === null ? null : { paths, commit: base.commit };
      const site = { tree, layers: layersOf(), folder, files, index };
      const now = {
        showing: outside ? ('elsewhere' as const) : plan.showing(placeOf()),
        previous: filled.get(folder),
      };
      const brought = await bringIgnored({ ...site, ...now }, ignored, kept);
      filled.set(folder, brought);
      return brought;
    };
    const result = await fillSlot(tree, folder, {
      treeId,
      bring,
      base: isCommitted ? treeId : (base?.tree ?? treeId),
      hidden: isCommitted ? hiddenIn() : [],
    });
    const index = join(folder, 'index');
    makeMountPoints(tree, files);
    const objects = git === null ? join(tree.commonDir, 'objects') : OBJECTS_IN_BOX;
    const gitFolder = git?.folder ?? join(files, '.git');
    await makeAgentGit(tree, { folder: gitFolder, index, objects, base });
    await makeModules(tree, result.submodules, { files, folder, git: gitFolder, isBoxed: git !== null });
    if (git === null) await showInstructions(tree, files, index, leftOut);
    return { ...result, ignored: `${stamp}\n${filled.get(folder)?.text ?? ''}` };
  };

  const notInstalled = async () => {
    const heldOut = heldOutIn();
    const { entries, clean } = await untrackedEntries(tree, join(tree.gitDir, 'index'), {
      leftOut: plan.leftOut(),
      seeded,
      heldOut,
    });
    return entries.filter((path) => !clean.includes(path) && !isHeldOut(path, heldOut));
  };

  const open = async (
    treeId: string,
    committed: Committed | undefined,
    clean: Pick<CleanCopy, 'keep' | 'files' | 'outside'> | null,
  ): Promise<TreeCopy> => {
    let number = 1;
    while (inUse.has(number)) number += 1;
    inUse.add(number);
    try {
      const outside = clean?.outside ?? false;
      const mounted = shownIn(`c${number}`, clean !== null, outside);
      const how = { keep: clean?.keep ?? null, isCommitted: committed !== undefined, outside };
      const { changed, leftOut, submodules, ignored } = await fill(
        mounted,
        treeId,
        committed?.base ?? null,
        how,
      );
      const files = clean?.files ?? [];
      writeFiles(mounted.files, files);
      if (committed !== undefined) {
        const git = mounted.git?.folder ?? join(mounted.files, '.git');
        await commitAll(tree, { ...mounted, git }, committed, { treeId, files, hidden: hiddenIn() });
      }
      // Layers hold the ignored files, so untracked files are only those just written.
      const before = mounted.seed === null ? await newIn(tree, mounted) : [];
      const openedAt = Date.now();
      const had = filled.get(mounted.folder)?.text ?? '';
      const isKept = (path: BytePath) => had.includes(` ./${path}/`) || had.includes(` ./${path}\0`);
      return {
        mounted,
        changed,
        leftOut,
        ignored,
        installed: { lockText: installed.lockText, note: () => undefined },
        createdPaths: async () => (await newIn(tree, mounted)).filter((path) => !before.includes(path)),
        builtAnew: async () =>
          builtSince(
            mounted.files,
            openedAt,
            (await notInstalled()).filter((path) => !isKept(path)),
          ),
        watch: (paths) => watchFiles(mounted.files, paths),
        treeWith: (paths) => treeWith({ ...tree, top: mounted.files }, treeId, paths),
        commitHooks: async (message, paths) => {
          if (committed === undefined) return { kind: 'none' };
          const { base } = committed;
          await indexTo(tree, mounted.folder, base.tree);
          const there = { ...tree, top: mounted.files, place: mounted.folder };
          const wanted = new Set(paths.map(parsePath));
          const changes = (await changesFromHead(tree, base.tree, treeId)).filter(({ path }) =>
            wanted.has(path),
          );
          return runCommitHooks(there, tree.top, mounted, { base, message, changes, submodules });
        },
        bring: (paths, from) => {
          const brought = paths.map((path) => bytePath(Buffer.from(path)));
          copyByList({ ...tree, top: from.files }, brought, mounted.files, '-a');
          if (outside || mounted.git === null)
            for (const named of [from.files, tree.top]) nameOwnFolder(named, mounted.files, brought);
        },
        close: () => void inUse.delete(number),
      };
    } catch (error) {
      inUse.delete(number);
      throw error;
    }
  };

  let copy: number | null = null;
  return {
    open: (treeId, committed) => open(treeId, committed, null),
    openClean: ({ tree: treeId, base, head, ...clean }) => open(treeId, { base, head }, clean),
    room: async () => {
      const { folder } = shownIn('1');
      if (!existsSync(folder)) return null;
      copy ??= await bytesIn(Buffer.from(folder));
      const { bavail, bsize } = statfsSync(folder);
      return { free: bavail * bsize, copy };
    },
    remove: () => {
      removeTree(placeOf());
      return placeOf();
    },
    work: (worker) => {
      const mounted = shownIn(String(worker));
      handedOut.add(mounted.folder);
      const note = join(mounted.folder, 'base.json');
      // The worker's git starts in this folder, so it has to exist.
      mkdirSync(mounted.files, { recursive: true, mode: 0o700 });
      return {
        mounted,
        base: () => readBase(note, mounted.folder),
        installedBy: installed.lockText,
        renewInstructions: async () => {
          const { files, folder, git } = mounted;
          if (git === null) await showInstructions(tree, files, join(folder, 'index'), plan.leftOut());
        },
        reset: async (base, treeId) => {
          rmSync(note, { force: true });
          const { leftOut } = await fill(mounted, treeId, base);
          writeFileAtomic(note, JSON.stringify(base));
          return { leftOut };
        },
      };
    },
    notInstalled: async () => (await notInstalled()).map(printPath),
  };
}

type Filling = {
  /** Ignored paths and patterns kept in a clean copy; `null` keeps all. */
  readonly keep: readonly string[] | null;
  /** Whether git in the copy sees everything as committed. */
  readonly isCommitted: boolean;
  /** Whether programs see the copy at its own path instead of at the checkout's. */
  readonly outside: boolean;
};

/** An agent's copy: its changes show as changed. */
const AS_WORK: Filling = { keep: null, isCommitted: false, outside: false };

/** Returns folders with files written since `at` (milliseconds), except tool output. */
function builtSince(files: string, at: number, paths: readonly BytePath[]) {
  const countIn = (path: string): number => {
    const found = lstatQuietly(Buffer.from(`${files}/${path}`, 'latin1'));
    if (found === null || !found.isDirectory()) return found !== null && found.ctimeMs >= at ? 1 : 0;
    const names = readdirSync(Buffer.from(`${files}/${path}`, 'latin1'), { encoding: 'latin1' });
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
  if (!existsSync(note) || !existsSync(join(folder, 'ready'))) return null;
  return tryOr(null, () => WorkBase.parse(JSON.parse(readFileSync(note, 'utf8'))));
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
  const known =
    lstatSync(file, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(file, 'utf8') : null;
  if (known === owner) return place;
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

/** Lock files that a checkout's packages were installed from. */
type Installed = {
  /** Records the ignored files: when they changed, packages were installed from the current lock files. */
  readonly noteIgnored: (stamp: string) => void;
  /** Returns a lock file as first read; landing changes the file without installing anything. */
  readonly lockText: (path: string) => string | null;
};

/** Opens the record of installed lock files. @param file Returns the record's path. */
function openInstalled(tree: WorkTree, file: () => string): Installed {
  const write = (known: Known) => writeFileAtomic(file(), JSON.stringify(known));
  return {
    noteIgnored: (stamp) => {
      if (read(file())?.stamp !== stamp) write({ stamp, locks: {} });
    },
    lockText: (path) => {
      const known = read(file());
      const before = known?.locks[path];
      if (before !== undefined) return before;
      const now = readIfThere(join(tree.top, path));
      if (known !== null) write({ ...known, locks: { ...known.locks, [path]: now } });
      return now;
    },
  };
}

function read(file: string): Known | null {
  return tryOr(null, () => Known.parse(JSON.parse(readIfThere(file) ?? '')));
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
      return [
        {
          path,
          text:
            lstatSync(file, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(file, 'utf8') : null,
        },
      ];
    });
}

/** Returns a value that changes with each write: programs can't set the change time. */
function stampOf(file: string): string {
  const found = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : `${found.ino} ${found.ctimeNs}`;
}
