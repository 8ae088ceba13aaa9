import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { namesIn } from '../../names-in.ts';
import { isSettled } from '../../store/files/plain-file.ts';
import { copiedFrom, isIntact, keepObject, PACKS, putObject } from './kept-object.ts';
import { type ObjectCopies, openObjectCopies } from './object-copies.ts';
import { withoutEnding } from './packs.ts';

/** Read, write and enter, for the owner. */
const OWNER_ALL = 0o700;
const FOLDER = /^(?:[0-9a-f]{2}|pack)$/;
const OBJECT = /^(?:[0-9a-f]{38}|[0-9a-f]{62}|pack-.+)$/;
/** What git makes of objects to read them faster, and believes: the index over several packs, the commit graph. */
const DERIVED: readonly (readonly [folder: string, RegExp])[] = [
  [PACKS, /^multi-pack-index/],
  ['info', /^commit-graph$/],
  ['info/commit-graphs', /^/],
];

/** A copy, outside of the repository, of each of its objects. */
export type ObjectBackup = {
  /** Copies what is new since the last time, and is what its own name says. Packs that are new wait for `accept`. */
  readonly add: () => void;
  /** Copies what is new and is what its own name says; the rest. @throws The Node error. */
  readonly takeIn: () => NewObjects;
  /**
   * Brings back what is gone from the repository, or holds something else by now. What git made of objects goes where it changed.
   *
   * @returns paths where something else stood.
   * @throws GitError where something can't be brought back; the Node error.
   */
  readonly bringBack: () => readonly string[];
  /** Copies a pack: all files with this name, without their endings. */
  readonly accept: (pack: string) => void;
  /** Forgets all of it. */
  readonly remove: () => void;
};

/** What wasn't copied; paths are absolute. */
export type NewObjects = {
  /** Something else than their names say. */
  readonly forged: readonly string[];
  /** Packs that weren't looked at, without their endings. */
  readonly packs: readonly string[];
};

type Folder = {
  /** The objects that are known, each with what tells that its file is the same; `null`: only its content does. */
  readonly known: Map<string, string | null>;
  /** When it was listed; `null`: there may be new ones. */
  time: number | null;
};

/**
 * Copies, as an agent can write into a file that it can't replace. They hold what `git gc --prune=now` takes away, too.
 *
 * @param objects Git's folder of objects.
 * @param place Outside of the repository; what is in it is ours.
 */
export function objectBackup(objects: string, place: string): ObjectBackup {
  const folders = new Map<string, Folder>();
  let opened: ObjectCopies | null = null;
  /** What was there before any agent of this run is taken as it is. */
  let isFirst = true;
  let derived = new Map<string, string | null>();

  const folderOf = (folder: string): Folder => {
    const found = folders.get(folder) ?? { known: new Map(), time: null };
    folders.set(folder, found);
    return found;
  };
  const fileOf = (folder: string, name: string) => ({ folder, name, path: join(objects, folder, name) });
  const copies = (): ObjectCopies => {
    if (opened !== null) return opened;
    opened = openObjectCopies(place);
    for (const copy of opened.names()) {
      const from = copiedFrom(copy);
      if (from !== null) folderOf(from.folder).known.set(from.name, null);
    }
    return opened;
  };
  /** Takes in the objects of a folder that are new, and trusted or proven; the others. */
  const takeInOf = (folder: string, isTrusted: (name: string) => boolean): string[] => {
    const { known } = folderOf(folder);
    const fresh = namesIn(join(objects, folder)).filter((name) => OBJECT.test(name) && !known.has(name));
    return fresh.filter((name) => {
      const file = fileOf(folder, name);
      const mark = markOf(file.path);
      if (mark === GONE) return false;
      if (!keepObject(copies(), file, isTrusted(name))) return true;
      known.set(name, mark);
      return false;
    });
  };
  /** Brings back what is known of a folder and changed; the paths of what stood there. */
  const bringBackOf = (folder: string): string[] => {
    const replaced: string[] = [];
    for (const [name, mark] of folderOf(folder).known) {
      const file = fileOf(folder, name);
      const now = markOf(file.path);
      if (now !== null && now === mark) continue;
      if (now === GONE || !isIntact(copies(), file)) {
        putObject(copies(), file, now === GONE);
        if (now !== GONE) replaced.push(file.path);
      }
      folderOf(folder).known.set(name, markOf(file.path));
    }
    return replaced;
  };
  return {
    add: () => {
      copies();
      if (isFirst) derived = derivedIn(objects);
      for (const folder of foldersIn(objects)) {
        const time = openFolder(join(objects, folder));
        const known = folderOf(folder);
        if (time === null || known.time === time) continue;
        const isSettledNow = isSettled(time);
        // An agent may be at work: what isn't taken in is looked at again when things are put back.
        const isLeft = takeInOf(folder, () => isFirst).length > 0;
        known.time = isSettledNow && !isLeft ? time : null;
      }
      isFirst = false;
    },
    takeIn: () => {
      copies();
      const forged: string[] = [];
      const packs = new Set<string>();
      for (const folder of foldersIn(objects)) {
        const time = openFolder(join(objects, folder));
        if (time !== null && folderOf(folder).time === time) continue;
        for (const name of takeInOf(folder, () => false)) {
          const { path } = fileOf(folder, name);
          if (folder === PACKS) packs.add(withoutEnding(path));
          else forged.push(path);
        }
      }
      return { forged, packs: [...packs] };
    },
    bringBack: () => {
      copies();
      for (const [path, mark] of derivedIn(objects)) {
        // Git makes it again.
        if (mark !== null && derived.get(path) === mark) continue;
        rmSync(path, { recursive: true });
        derived.delete(path);
      }
      return [...folders.keys()].flatMap(bringBackOf);
    },
    accept: (pack) => {
      takeInOf(PACKS, (name) => withoutEnding(name) === basename(pack));
    },
    remove: () => {
      opened?.close();
      opened = null;
      folders.clear();
      rmSync(place, { recursive: true, force: true });
    },
  };
}

function foldersIn(objects: string): string[] {
  return namesIn(objects)
    .filter((one) => FOLDER.test(one))
    .toSorted();
}

/** The paths of what git makes of objects, with what tells that they are the same. */
function derivedIn(objects: string): Map<string, string | null> {
  const paths = DERIVED.flatMap(([folder, pattern]) =>
    namesIn(join(objects, folder))
      .filter((name) => pattern.test(name))
      .map((name) => join(objects, folder, name)),
  );
  return new Map(paths.map((path) => [path, markOf(path)]));
}

const GONE = 'gone';

/**
 * Changes whenever the file is written or replaced: no program can set its change time back. `null` while a later change
 * could have the same time.
 */
function markOf(path: string): string | typeof GONE | null {
  const stat = statOf(path);
  if (stat === null) return GONE;
  return isSettled(stat.ctimeMs) ? `${stat.ino} ${stat.size} ${stat.ctimeMs}` : null;
}

/** Opens a folder that an agent's `chmod` shut. Gives when it was changed; `null` where there is no folder. */
function openFolder(path: string): number | null {
  const stat = statOf(path);
  if (stat?.isDirectory() !== true) return null;
  if ((stat.mode & OWNER_ALL) !== OWNER_ALL) chmodSync(path, (stat.mode | OWNER_ALL) & 0o7777);
  return stat.mtimeMs;
}

/** Not in nanoseconds: there are thousands of files, and big integers take twice as long. */
function statOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    // A file stands in the place of the folder.
    return null;
  }
}
