import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { namesIn } from '../../names-in.ts';
import { isSettled } from '../../store/files/plain-file.ts';
import { derivedFiles } from './derived.ts';
import { fileMark, GONE, openedFolder } from './file-mark.ts';
import { copiedFrom, isIntact, keepObject, PACKS, putObject } from './kept-object.ts';
import { type ObjectCopies, openObjectCopies } from './object-copies.ts';
import { withoutEnding } from './packs.ts';

const FOLDER = /^(?:[0-9a-f]{2}|pack)$/;
const OBJECT = /^(?:[0-9a-f]{38}|[0-9a-f]{62}|pack-.+)$/;
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
  /** Whether an object that lies in a file of its own is copied. */
  readonly holds: (id: string) => boolean;
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

/**
 * Copies, as an agent can write into a file that it can't replace. They hold what `git gc --prune=now` takes away, too.
 *
 * @param objects Git's folder of objects.
 * @param place Outside of the repository; what is in it is ours.
 */
export function objectBackup(objects: string, place: string): ObjectBackup {
  const derived = derivedFiles(objects);
  let opened: { readonly copies: ObjectCopies; readonly folders: ReturnType<typeof objectFolders> } | null =
    null;
  const folders = () => {
    if (opened !== null) return opened.folders;
    const copies = openObjectCopies(place);
    opened = { copies, folders: objectFolders(objects, copies) };
    return opened.folders;
  };
  /** What was there before any agent of this run is taken as it is. */
  let isFirst = true;
  return {
    add: () => {
      if (isFirst) derived.note();
      for (const folder of foldersIn(objects)) {
        const time = openedFolder(join(objects, folder));
        if (time === null || folders().isListed(folder, time)) continue;
        const isSettledNow = isSettled(time);
        // An agent may be at work: what isn't taken in is looked at again when things are put back.
        const isLeft = folders().takeIn(folder, () => isFirst).length > 0;
        folders().list(folder, isSettledNow && !isLeft ? time : null);
      }
      isFirst = false;
    },
    takeIn: () => {
      const forged: string[] = [];
      const packs = new Set<string>();
      for (const folder of foldersIn(objects)) {
        const time = openedFolder(join(objects, folder));
        if (time !== null && folders().isListed(folder, time)) continue;
        for (const path of folders().takeIn(folder, () => false)) {
          if (folder === PACKS) packs.add(withoutEnding(path));
          else forged.push(path);
        }
      }
      return { forged, packs: [...packs] };
    },
    bringBack: () => {
      derived.clear();
      return folders().bringBack();
    },
    holds: (id) => folders().holds(id.slice(0, 2), id.slice(2)),
    accept: (pack) => {
      folders().takeIn(PACKS, (name) => withoutEnding(name) === basename(pack));
    },
    remove: () => {
      opened?.copies.close();
      opened = null;
      rmSync(place, { recursive: true, force: true });
    },
  };
}

type Folder = {
  /** The objects that are known, each with what tells that its file is the same; `null`: only its content does. */
  readonly known: Map<string, string | null>;
  /** When it was listed; `null`: there may be new ones. */
  time: number | null;
};

/** What is known of each folder of objects. */
function objectFolders(objects: string, copies: ObjectCopies) {
  const folders = new Map<string, Folder>();
  const folderOf = (folder: string): Folder => {
    const found = folders.get(folder) ?? { known: new Map(), time: null };
    folders.set(folder, found);
    return found;
  };
  for (const copy of copies.names()) {
    const from = copiedFrom(copy);
    if (from !== null) folderOf(from.folder).known.set(from.name, null);
  }
  const fileOf = (folder: string, name: string) => ({ folder, name, path: join(objects, folder, name) });
  return {
    isListed: (folder: string, time: number): boolean => folderOf(folder).time === time,
    list: (folder: string, time: number | null): void => {
      folderOf(folder).time = time;
    },
    holds: (folder: string, name: string): boolean => folderOf(folder).known.has(name),
    /** Copies the objects of a folder that are new, and trusted or proven. Gives the paths of the others. */
    takeIn: (folder: string, isTrusted: (name: string) => boolean): string[] => {
      const { known } = folderOf(folder);
      const fresh = namesIn(join(objects, folder)).filter((name) => OBJECT.test(name) && !known.has(name));
      return fresh.flatMap((name) => {
        const file = fileOf(folder, name);
        const mark = fileMark(file.path);
        if (mark === GONE) return [];
        if (!keepObject(copies, file, isTrusted(name))) return [file.path];
        known.set(name, mark);
        return [];
      });
    },
    /** Puts back what is known and changed. Gives the paths where something else stood. */
    bringBack: (): string[] => {
      const replaced: string[] = [];
      for (const [folder, { known }] of folders)
        for (const [name, mark] of known) {
          const file = fileOf(folder, name);
          const now = fileMark(file.path);
          if (now !== null && now === mark) continue;
          if (now === GONE || !isIntact(copies, file)) {
            putObject(copies, file, now === GONE);
            if (now !== GONE) replaced.push(file.path);
          }
          known.set(name, fileMark(file.path));
        }
      return replaced;
    },
  };
}

function foldersIn(objects: string): string[] {
  return namesIn(objects)
    .filter((one) => FOLDER.test(one))
    .toSorted();
}
