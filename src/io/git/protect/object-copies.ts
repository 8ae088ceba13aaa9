import { linkSync, lstatSync, mkdirSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { namesIn } from '../../names-in.ts';
import { temporaryName } from '../../store/files/atomic-file.ts';
import { isSystemError } from '../../store/store-error.ts';
import { look } from '../repository/work-tree.ts';
import { openCopyLog } from './copy-log.ts';
import { contentOf, haveSameContent, isCopied } from './whole-file.ts';

/** Bytes that copies may take in all, and their share of what is free on the disk. */
const MOST_BYTES = 512 * 1024 * 1024;
const SHARE_OF_FREE = 0.25;
const LOG = 'log';
/** As git leaves objects. */
const OBJECT_MODE = 0o444;
const COPY_MODE = 0o600;

/**
 * Copies of a repository's objects, outside of it, each by a name. Beyond the room for them, a second name of the file (a hard
 * link) stands for a copy: what is written into the file itself changes both.
 */
export type ObjectCopies = {
  readonly names: () => Iterable<string>;
  /**
   * @param bytes Its content, where that is in memory.
   * @returns where what is kept can be read; `path` itself where no copy can be made.
   * @throws The Node error
   */
  readonly keep: (name: string, path: string, bytes: Buffer | null) => string;
  /** The content of a copy that was made of bytes in memory; `null`: there is none. */
  readonly read: (name: string) => Buffer | null;
  /** Whether a file holds what its copy does; true where it has none. */
  readonly isSame: (name: string, path: string) => boolean;
  /** Puts a copy in the place of a file. False: there is none. @throws The Node error */
  readonly put: (name: string, path: string) => boolean;
  readonly forget: (name: string) => void;
  readonly close: () => void;
};

/** @throws The Node error */
export function openObjectCopies(folder: string, mostBytes = MOST_BYTES): ObjectCopies {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const log = openCopyLog(join(folder, LOG));
  const files = new Set(namesIn(folder).filter((name) => name !== LOG));
  const fileOf = (name: string) => join(folder, name);
  let room = Math.min(mostBytes, freeIn(folder) * SHARE_OF_FREE);
  return {
    names: () => [...log.names(), ...files],
    keep: (name, path, bytes) => {
      const size = bytes?.length ?? lstatSync(path).size;
      const hasRoom = size <= room;
      if (hasRoom) room -= size;
      if (hasRoom && bytes !== null) {
        log.add(name, bytes);
        return path;
      }
      if (!(hasRoom && isCopied(path, fileOf(name), COPY_MODE)) && !isLinked(path, fileOf(name))) return path;
      files.add(name);
      return fileOf(name);
    },
    read: log.read,
    isSame: (name, path) => {
      const bytes = log.read(name);
      if (bytes === null) return !files.has(name) || haveSameContent(fileOf(name), path);
      return contentOf(path, bytes.length)?.equals(bytes) === true;
    },
    put: (name, path) => {
      const bytes = log.read(name);
      if (bytes === null && look(fileOf(name))?.isFile() !== true) return false;
      const temporary = join(dirname(path), temporaryName('object'));
      try {
        if (bytes !== null) writeFileSync(temporary, bytes, { flag: 'wx', mode: OBJECT_MODE });
        else if (!isCopied(fileOf(name), temporary, OBJECT_MODE)) linkSync(fileOf(name), temporary);
        renameSync(temporary, path);
      } finally {
        rmSync(temporary, { force: true });
      }
      return true;
    },
    forget: (name) => {
      if (files.delete(name)) rmSync(fileOf(name), { force: true });
    },
    close: log.close,
  };
}

function freeIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** False on another file system, and for what is gone. */
function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return error.code === 'EEXIST';
  }
}
