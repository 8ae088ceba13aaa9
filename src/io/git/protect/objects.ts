import { copyFileSync, linkSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn } from '../../names-in.ts';
import { temporaryName } from '../../store/files/atomic-file.ts';
import { isSettled } from '../../store/files/plain-file.ts';
import { isSystemError } from '../../store/store-error.ts';
import { look } from '../repository/work-tree.ts';

/** Bytes that are copied where the file system can't link: loose objects first, packs as far as there is room. */
const COPIED_BYTES = 512 * 1024 * 1024;
const FOLDER = /^(?:[0-9a-f]{2}|pack)$/;
/** Of the second name: folder and name of the first. */
const KEPT = /^([0-9a-f]{2}|pack)\.(.+)$/;
const OBJECT = /^(?:[0-9a-f]{38}|[0-9a-f]{62}|pack-.+)$/;

/** A second name, outside of the repository, for each of its objects. */
export type ObjectBackup = {
  /** Names what is new since the last time. */
  readonly add: () => void;
  /** Brings back what is gone from the repository. @throws The Node error. */
  readonly restore: () => void;
  /** Forgets all of it. */
  readonly remove: () => void;
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
  let room = COPIED_BYTES;
  const put = (from: string, to: string): boolean => {
    try {
      linkSync(from, to);
      return true;
    } catch (error) {
      if (!isSystemError(error)) throw error;
      if (error.code === 'EEXIST') return true;
      if (error.code === 'ENOENT') return false;
    }
    const size = lstatSync(from).size;
    if (size > room) return false;
    room -= size;
    copyFileSync(from, to);
    return true;
  };
  return {
    add: () => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      for (const name of namesIn(objects)
        .filter((one) => FOLDER.test(one))
        .toSorted()) {
        const time = timeOf(join(objects, name));
        const entry = entryOf(name);
        if (time === null || entry.time === time) continue;
        const settled = isSettled(time);
        for (const object of readdirSync(join(objects, name))) {
          if (!OBJECT.test(object) || entry.names.has(object)) continue;
          if (put(join(objects, name, object), kept(name, object))) entry.names.add(object);
        }
        entry.time = settled ? time : null;
      }
    },
    restore: () => {
      for (const [name, { names, time }] of known) {
        const place = join(objects, name);
        if (time !== null && timeOf(place) === time) continue;
        for (const object of names) restoreObject(kept(name, object), join(place, object));
      }
    },
    remove: () => {
      known.clear();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** An object in the place of which there is another file is replaced: its name says what it has to hold. */
function restoreObject(kept: string, path: string): void {
  const [was, now] = [look(kept), look(path)];
  if (was === null || now?.ino === was.ino || (now?.isFile() === true && now.dev !== was.dev)) return;
  mkdirSync(join(path, '..'), { recursive: true });
  if (now?.isDirectory() === true) rmSync(path, { recursive: true, force: true });
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
