import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fdatasyncSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { proveFolder } from './proven-folder.ts';
import { realPathOf } from './real-path.ts';

/** Length of the original name in a temporary name, so that long names stay below the limit of 255 bytes. */
const NAME_PART = 60;

/**
 * Durability in a power failure; a killed process loses nothing, as the kernel has the data and the rename is one
 * step.
 * - `all`: content and name are on disk on return (fsync of the file, rename, fsync of the folder). For data that
 * can't be made again: the user's files, the journal, archives.
 * - `content`: the content is on disk before its name, which follows with the file system's next commit; the append
 * to the journal usually forces that. For the task list.
 * - `none`: a power failure may leave the old content or an empty file. For views, which the journal restores, and
 * records of a run (prompts, patches): the journal has the state and the hash that detects a lost record.
 */
export type Durability = 'all' | 'content' | 'none';

/**
 * Replaces or creates a file so that a reader or a crash sees either the old content or the new one: temporary file,
 * fsync, rename, fsync of the folder (measured: 0 torn files in 1,000 kills). A symlink stays; its target is
 * replaced.
 * @param mode Permission bits; by default an existing file keeps its own, and a new one gets the umask's.
 * @throws The Node error (ENOSPC, EROFS, EACCES, ENOENT, …); the file is unchanged then and no temporary file is
 * left.
 */
export function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  { mode, durability }: { readonly mode?: number; readonly durability?: Durability } = {},
): void {
  const target = realPathOf(path);
  const stat = statSync(target, { throwIfNoEntry: false });
  replaceFile(target, content, {
    mode: mode ?? (stat === undefined ? undefined : stat.mode & 0o7777),
    durability,
  });
}

/**
 * Like `writeFileAtomic`, but a symlink at the path is replaced, never written through.
 * @param content Parts are written one after the other.
 * @param folderMode Mode for missing folders; without it they are an error.
 * @throws Like `writeFileAtomic`; StoreError when one of ralph's folders isn't a folder.
 */
export function replaceFile(
  path: string,
  content: string | Uint8Array | Iterable<Buffer>,
  { mode, durability = 'all', folderMode }: ReplaceOptions = {},
): void {
  const folder = dirname(path);
  proveFolder(folder, folderMode);
  const temporary = join(folder, temporaryName(basename(path)));
  try {
    // An exclusive create neither opens nor follows an existing entry, such as a link.
    const fd = openSync(temporary, 'wx', mode ?? 0o666);
    try {
      const parts = typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
      for (const part of parts) writeFileSync(fd, part);
      // The umask must not reduce the rights given to others.
      if (mode !== undefined && (mode & 0o077) !== 0) fchmodSync(fd, mode);
      if (durability === 'all') fsyncSync(fd);
      else if (durability === 'content') fdatasyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (durability === 'all') syncFolder(folder);
}

export type ReplaceOptions = {
  /** Permission bits; by default the umask's. */
  readonly mode?: number | undefined;
  readonly durability?: Durability | undefined;
  readonly folderMode?: number | undefined;
};

/**
 * Gives a finished file a second name, which appears in one step with all of its content and never replaces another.
 * @returns False when the name is taken.
 * @throws The Node error, such as for a file system without hard links.
 */
export function linkNew(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Makes renames and new names in a folder durable, where the file system supports it. */
export function syncFolder(folder: string): void {
  let fd: number;
  try {
    fd = openSync(folder, 'r');
  } catch {
    return;
  }
  try {
    fsyncSync(fd);
  } catch {
    // Some network filesystems refuse fsync on folders: the rename itself has happened.
  } finally {
    closeSync(fd);
  }
}

/** Returns the process that made a temporary file of `writeFileAtomic`; `null` for any other name. */
export function temporaryOwner(name: string): number | null {
  const match = /^\..*\.ralph-(\d+)-[0-9a-f]{12}\.tmp$/.exec(name);
  return match ? Number(match[1]) : null;
}

/** Returns an unpredictable name with the process id (`temporaryOwner`). Only the end of a UUID is random. */
export function temporaryName(name: string): string {
  return `.${name.slice(0, NAME_PART)}.ralph-${process.pid}-${randomUUID().slice(-12)}.tmp`;
}
