import { copyFileSync, linkSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { namesIn } from '../../names-in.ts';
import { temporaryName } from '../../store/files/atomic-file.ts';
import { isSettled } from '../../store/files/plain-file.ts';
import { isSystemError } from '../../store/store-error.ts';
import { isGenuine } from '../repository/loose-objects.ts';
import { look } from '../repository/work-tree.ts';
import { withoutEnding } from './packs.ts';

/** Bytes that are copied where the file system can't link: loose objects first, packs as far as there is room. */
const COPIED_BYTES = 512 * 1024 * 1024;
const PACKS = 'pack';
const FOLDER = /^(?:[0-9a-f]{2}|pack)$/;
/** Of the second name: folder and name of the first. */
const KEPT = /^([0-9a-f]{2}|pack)\.(.+)$/;
const OBJECT = /^(?:[0-9a-f]{38}|[0-9a-f]{62}|pack-.+)$/;

/** A second name, outside of the repository, for each of its objects. */
export type ObjectBackup = {
  /** Names what is new since the last time, and is what its own name says. Packs that are new wait for `accept`. */
  readonly add: () => void;
  /** Brings back what is gone from the repository, or another file by now, and takes in what is new. @throws The Node error. */
  readonly restore: () => Unproven;
  /** Names a pack: all files with this name, without their endings. */
  readonly accept: (pack: string) => void;
  /** Forgets all of it. */
  readonly remove: () => void;
};

/** What came since; paths are absolute. */
export type Unproven = {
  /** Files of objects that hold something else than their names say. */
  readonly forged: readonly string[];
  /** Packs that weren't looked at, without their endings. */
  readonly packs: readonly string[];
};

/** Of a folder of objects: which have a second name, and its time when it was listed; `null`: it may have changed. */
type Kept = { readonly names: Set<string>; time: number | null };

/**
 * Hard links take no space, and hold what `git gc --prune=now` takes away. Only folders whose time changed are listed
 * again.
 *
 * @param objects Git's folder of objects.
 * @param folder Outside of the repository; what is in it is ours.
 */
export function objectBackup(objects: string, folder: string): ObjectBackup {
  const known = new Map<string, Kept>();
  const entryOf = (name: string): Kept => {
    const entry = known.get(name) ?? { names: new Set(), time: null };
    known.set(name, entry);
    return entry;
  };
  const kept = (name: string, object: string) => join(folder, `${name}.${object}`);
  for (const file of namesIn(folder)) {
    const [, name = '', object = ''] = KEPT.exec(file) ?? [];
    if (object !== '') entryOf(name).names.add(object);
  }
  const put = secondNames();
  /** What was there before any agent of this run is taken as it is. */
  let isFirst = true;
  /** Takes in the objects of a folder that are new, and trusted or proven; the others. */
  const takeIn = (name: string, isTrusted: (object: string) => boolean): string[] => {
    const { names } = entryOf(name);
    const fresh = namesIn(join(objects, name)).filter((one) => OBJECT.test(one) && !names.has(one));
    return fresh.filter((object) => {
      const path = join(objects, name, object);
      if (!isTrusted(object) && (name === PACKS || !isGenuine(path, name + object))) return true;
      put(path, kept(name, object));
      names.add(object);
      return false;
    });
  };
  return {
    add: () => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      for (const name of foldersIn(objects)) {
        const place = join(objects, name);
        const time = timeOf(place);
        const entry = entryOf(name);
        if (time === null || entry.time === time) continue;
        const isSettledNow = isSettled(time);
        const isWhole = [...entry.names].every(
          (object) => comparison(kept(name, object), join(place, object)) !== 'other',
        );
        // An agent may be at work: what it changed is looked at again when things are put back.
        const isLeft = takeIn(name, () => isFirst).length > 0;
        entry.time = isSettledNow && isWhole && !isLeft ? time : null;
      }
      isFirst = false;
    },
    restore: () => {
      const forged: string[] = [];
      const packs = new Set<string>();
      for (const name of new Set([...known.keys(), ...foldersIn(objects)])) {
        const place = join(objects, name);
        const { names, time } = entryOf(name);
        if (time !== null && timeOf(place) === time) continue;
        for (const object of names) {
          const [from, to] = [kept(name, object), join(place, object)];
          const found = comparison(from, to);
          if (found === 'copy' && name === PACKS) packs.add(withoutEnding(to));
          else if (found === 'other' || (found === 'copy' && !isGenuine(to, name + object)))
            putObject(from, to);
        }
        for (const object of takeIn(name, () => false)) {
          if (name === PACKS) packs.add(withoutEnding(join(place, object)));
          else forged.push(join(place, object));
        }
      }
      return { forged, packs: [...packs] };
    },
    accept: (pack) => {
      takeIn(PACKS, (object) => withoutEnding(object) === basename(pack));
    },
    remove: () => {
      known.clear();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function foldersIn(objects: string): string[] {
  return namesIn(objects)
    .filter((one) => FOLDER.test(one))
    .toSorted();
}

/** Gives a file a second name, or a copy as far as there is room. @throws The Node error. */
function secondNames(): (from: string, to: string) => void {
  let room = COPIED_BYTES;
  return (from, to) => {
    try {
      linkSync(from, to);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      if (error.code === 'EEXIST' || error.code === 'ENOENT') return;
      const { size } = lstatSync(from);
      if (size > room) return;
      room -= size;
      copyFileSync(from, to);
    }
  };
}

/** What stands in the place of an object; `copy`: its second name is on another file system. */
function comparison(kept: string, path: string): 'same' | 'other' | 'copy' {
  const [was, now] = [look(kept), look(path)];
  if (was === null || (now?.ino === was.ino && now.dev === was.dev)) return 'same';
  return now?.isFile() === true && now.dev !== was.dev ? 'copy' : 'other';
}

function putObject(kept: string, path: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  if (look(path)?.isDirectory() === true) rmSync(path, { recursive: true, force: true });
  const temporary = join(path, '..', temporaryName('object'));
  try {
    linkSync(kept, temporary);
  } catch (error) {
    if (!isSystemError(error) || error.code === 'ENOENT') throw error;
    copyFileSync(kept, temporary);
  }
  renameSync(temporary, path);
  rmSync(temporary, { force: true });
}

/** `null` where there is no folder. */
function timeOf(path: string): number | null {
  // Not in nanoseconds: there are 256 of them, and big integers take twice as long.
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true ? stat.mtimeMs : null;
}
