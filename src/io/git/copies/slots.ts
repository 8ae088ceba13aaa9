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
import * as z from 'zod/mini';
import { OBJECTS_IN_BOX, type Showing, type ShownCopy } from '../../../domain/box/box.ts';
import { type CleanCopy, type Committed, type TreeCopy, WorkBase } from '../../../domain/ports/work.ts';
import { toolOutputOf } from '../../../ecosystems/index.ts';
import { isBelow } from '../../../lib/paths.ts';
import { tryOr } from '../../../lib/try-or.ts';
import { HOMES_OF_COPY } from '../../box/index.ts';
import { writeFileAtomic } from '../../files/atomic-file.ts';
import { removeTree } from '../../files/remove-tree.ts';
import { processStatus } from '../../programs/table/process-identity.ts';
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
import { commitAll, putFiles } from './commit-all.ts';
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

/** Copies of one work tree, each in a slot that is used again. */
export type Slots = {
  /** See `Git.copyTree`. @throws GitError */
  readonly open: (treeId: string, committed?: Committed) => Promise<TreeCopy>;
  /** See `Git.cleanCopy`. @throws GitError */
  readonly openClean: (copy: CleanCopy) => Promise<TreeCopy>;
  /** See `Git.notInstalled`. */
  readonly notInstalled: () => Promise<readonly string[]>;
  /** The copy in which a worker works, as the last process left it. */
  readonly work: (worker: number) => WorkSlot;
  /** See `Git.room`. */
  readonly room: () => Promise<{ readonly free: number; readonly copy: number } | null>;
  /** Removes all slots and their seed; the folder that they lay in. */
  readonly remove: () => string;
};

/** A copy that is worked in. */
export type WorkSlot = {
  readonly shown: ShownCopy;
  /** What it was brought to last; `null`: it is new, or was being brought there. */
  readonly base: () => WorkBase | null;
  /** Brings it to a tree on a base, with a git folder made anew. @throws GitError */
  readonly reset: (base: WorkBase, treeId: string) => Promise<Pick<TreeCopy, 'leftOut'>>;
  /** The text of a lock file by which what the checkout has installed was installed; `null`: by none. */
  readonly installedBy: (path: string) => string | null;
  /** Where no box shows them: the checkout's instructions as they are now. @throws GitError */
  readonly renewInstructions: () => Promise<void>;
};

/** How copies are made. */
export type CopyPlan = {
  /** How one that lies below a folder is shown. */
  readonly showing: (place: string) => Showing;
  /** Files of the checkout, absolute, that are none of a copy: they are shown as they are, and a second name of one is refused. */
  readonly leftOut: () => readonly string[];
  /** Absolute paths of what no copy has: a gate of its own alone sees it. */
  readonly heldOut: () => readonly string[];
  /** Paths of the checkout, relative to its top: files there that are neither tracked nor ignored are in copies, too. */
  readonly seed: readonly string[];
  /** Name of a place of their own, which ends with the id of this process; absent: the one of runs. */
  readonly apart?: string;
};

/** @param seeded Files of the checkout that copies have although they aren't tracked. */
export function openSlots(
  repository: WorkTree,
  stateHome: string,
  plan: CopyPlan,
  seeded: readonly BytePath[],
): Slots {
  const tree = { ...repository, instructions: () => seeded };
  const inUse = new Set<number>();
  /** Folders of the copies of workers. */
  const handedOut = new Set<string>();
  /** What slots of this process have of what git ignores. */
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
    place ??= openPlace(tree, stateHome, plan.apart);
    return place;
  };

  // Of one worker no agent is at work while gates run.
  const isUsed = (slot: string) =>
    handedOut.has(slot) ? handedOut.size > 1 : [...inUse].some((number) => slot === slotOf(`c${number}`));
  const slotOf = (name: string) => join(placeOf(), name);
  let layers: Layers | null = null;
  const layersOf = () => {
    layers ??= openLayers(tree, placeOf(), isUsed);
    return layers;
  };

  /** Where the copy of a slot lies, and how it is shown. */
  const shownIn = (name: string, isClean = false, outside = false): ShownCopy => {
    const folder = slotOf(name);
    const how = plan.showing(placeOf());
    const isElsewhere = how === 'elsewhere';
    const seed = (isClean ? CLEAN_LAYERS : WHOLE_LAYERS).map((layer) => layersOf().seenBy(folder, layer));
    return {
      ...{ folder, files: join(folder, 'files'), seed: how === 'layers' && !outside ? seed : null },
      ignored: () => ignoredPaths,
      git: isElsewhere ? null : { folder: join(folder, 'git'), objects: join(tree.commonDir, 'objects') },
    };
  };

  /** Paths whose files in a copy differ on purpose from the commit: instructions, held-out files and seeded ones. */
  const hiddenIn = () => [
    ...plan
      .leftOut()
      .filter((path) => isBelow(path, tree.top))
      .map((path) => bytePath(Buffer.from(relative(tree.top, path)))),
    ...heldOutIn(),
    ...seeded,
  ];

  /** Brings the copy of a slot to a tree; git in it sees a base. */
  const fill = async (
    shown: ShownCopy,
    treeId: string,
    base: WorkBase | null,
    { keep, isCommitted, outside }: Filling = AS_WORK,
  ) => {
    const { folder, files, git } = shown;
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
        before: filled.get(folder),
      };
      const brought = await bringIgnored({ ...site, ...now }, ignored, kept);
      filled.set(folder, brought);
      return brought;
    };
    const result = await fillSlot(tree, folder, {
      ...{ treeId, bring },
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
      ...{ seeded, heldOut },
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
      const shown = shownIn(`c${number}`, clean !== null, outside);
      const how = { keep: clean?.keep ?? null, isCommitted: committed !== undefined, outside };
      const { changed, leftOut, submodules, ignored } = await fill(
        shown,
        treeId,
        committed?.base ?? null,
        how,
      );
      const files = clean?.files ?? [];
      putFiles(shown.files, files);
      if (committed !== undefined) {
        const git = shown.git?.folder ?? join(shown.files, '.git');
        await commitAll(tree, { ...shown, git }, committed, { treeId, files, hidden: hiddenIn() });
      }
      // Where layers show what git ignores, nothing but what was just written lies in it.
      const before = shown.seed === null ? await newIn(tree, shown) : [];
      const openedAt = Date.now();
      const had = filled.get(shown.folder)?.text ?? '';
      const isKept = (path: BytePath) => had.includes(` ./${path}/`) || had.includes(` ./${path}\0`);
      return {
        ...{ shown, changed, leftOut, ignored },
        installed: { by: installed.by, note: () => undefined },
        made: async () => (await newIn(tree, shown)).filter((path) => !before.includes(path)),
        builtAnew: async () =>
          builtSince(
            shown.files,
            openedAt,
            (await notInstalled()).filter((path) => !isKept(path)),
          ),
        watch: (paths) => watchFiles(shown.files, paths),
        treeWith: (paths) => treeWith({ ...tree, top: shown.files }, treeId, paths),
        commitHooks: async (message, paths) => {
          if (committed === undefined) return { kind: 'none' };
          const { base } = committed;
          await indexTo(tree, shown.folder, base.tree);
          const there = { ...tree, top: shown.files, place: shown.folder };
          const wanted = new Set(paths.map(parsePath));
          const changes = (await changesFromHead(tree, base.tree, treeId)).filter(({ path }) =>
            wanted.has(path),
          );
          return runCommitHooks(there, tree.top, shown, { base, message, changes, submodules });
        },
        bring: (paths, from) => {
          const brought = paths.map((path) => bytePath(Buffer.from(path)));
          copyByList({ ...tree, top: from.files }, brought, shown.files, '-a');
          if (outside || shown.git === null)
            for (const named of [from.files, tree.top]) nameOwnFolder(named, shown.files, brought);
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
      const shown = shownIn(String(worker));
      handedOut.add(shown.folder);
      const note = join(shown.folder, 'base.json');
      // Git starts in it.
      mkdirSync(shown.files, { recursive: true, mode: 0o700 });
      return {
        shown,
        base: () => readBase(note, shown.folder),
        installedBy: installed.by,
        renewInstructions: async () => {
          const { files, folder, git } = shown;
          if (git === null) await showInstructions(tree, files, join(folder, 'index'), plan.leftOut());
        },
        reset: async (base, treeId) => {
          rmSync(note, { force: true });
          const { leftOut } = await fill(shown, treeId, base);
          writeFileAtomic(note, JSON.stringify(base));
          return { leftOut };
        },
      };
    },
    notInstalled: async () => (await notInstalled()).map(printPath),
  };
}

/** How a copy is filled. */
type Filling = {
  /** Of a clean copy: paths and patterns of what is ignored and comes along; `null`: all that is ignored does. */
  readonly keep: readonly string[] | null;
  /** Git in the copy has all of it as committed. */
  readonly isCommitted: boolean;
  /** See `CleanCopy`. */
  readonly outside: boolean;
};

/** The copy in which an agent works: what it changes shows as changed. */
const AS_WORK: Filling = { keep: null, isCommitted: false, outside: false };

/** Folders in which files were written since then, other than those that tools fill on their way. `at`: in milliseconds. */
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

/** What lies in a copy and isn't committed to git in it; a folder of which all is new is one. */
async function newIn(repository: WorkTree, { files, folder }: ShownCopy): Promise<string[]> {
  const tree = { ...repository, top: files };
  return (await listUntracked(tree, join(folder, 'index'), 'not_ignored')).map(printPath);
}

/** See `TreeCopy.treeWith`. */
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

/** What a folder takes of its disk; what goes away meanwhile takes nothing. */
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

/** Bytes of what `stat` counts in. */
const BLOCK = 512;

/** `null`: the slot wasn't whole when it was left. */
function readBase(note: string, folder: string): WorkBase | null {
  if (!existsSync(note) || !existsSync(join(folder, 'ready'))) return null;
  return tryOr(null, () => WorkBase.parse(JSON.parse(readFileSync(note, 'utf8'))));
}

/** Where slots lie: on the disk of the checkout, or nothing of it could get a second name. */
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
  // A repository that was made anew at this path has nothing in common with the old one.
  orGitError(place, () => {
    removeTree(place);
    mkdirSync(place, { recursive: true, mode: 0o700 });
    // Whole or not at all: who read half of it would take the copies of a run that is active for another repository's.
    writeFileAtomic(file, owner, { mode: 0o600 });
  });
  return place;
}

/** Names of places apart. */
const APART = /^apart-.*-(\d+)$/;

/** What a process that was killed left. */
function removeForsaken(folder: string): void {
  for (const name of tryOr([], () => readdirSync(folder))) {
    const pid = Number(APART.exec(name)?.[1] ?? 0);
    if (pid > 0 && processStatus(pid).kind === 'gone') removeTree(join(folder, name));
  }
}

const Known = z.object({
  /** What git ignored in the checkout then. */
  stamp: z.string(),
  /** Texts of lock files by path; `null`: there was no such file. */
  locks: z.record(z.string(), z.nullable(z.string())),
});
type Known = z.infer<typeof Known>;

/** By which lock files the packages of a checkout were installed. */
type Installed = {
  /** What git ignores there is seen: once it is another than before, the lock files of now are those. */
  readonly noteIgnored: (stamp: string) => void;
  /** The text of one, as it was when it was asked for first: what lands changes the file, and installs nothing. */
  readonly by: (path: string) => string | null;
};

/** @param file Where that is kept; asked for when it is needed. */
function openInstalled(tree: WorkTree, file: () => string): Installed {
  const write = (known: Known) => writeFileAtomic(file(), JSON.stringify(known));
  return {
    noteIgnored: (stamp) => {
      if (read(file())?.stamp !== stamp) write({ stamp, locks: {} });
    },
    by: (path) => {
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

/** Files at these paths below a folder that were written since, with what they hold; see `TreeCopy.watch`. */
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

/** Another one once a file was written, whatever its content: no program sets the time of its last change. */
function stampOf(file: string): string {
  const found = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : `${found.ino} ${found.ctimeNs}`;
}
