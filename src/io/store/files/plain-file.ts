import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
} from 'node:fs';

/** Bytes up to which a file is read into memory. More was not written by ralph. */
const MAX_READ = 64 * 1024 * 1024;

/** What stands at a path, symlinks not followed. */
export type PlainFile =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly mode: number }
  | { readonly kind: 'link'; readonly target: string }
  /** `what`: for the user. A file over the limit counts as `other`, too. */
  | { readonly kind: 'other'; readonly what: string };

/**
 * Never waits: a pipe or device in the place of a file is not read, also when it came there this moment.
 *
 * @param maxBytes Larger files are not read.
 * @throws The Node error when the file is there and cannot be read.
 */
export function readPlainFile(path: string, maxBytes = MAX_READ): PlainFile {
  const stat = lstatOrNull(path);
  if (stat === null) return { kind: 'absent' };
  if (stat.isSymbolicLink()) return { kind: 'link', target: readlinkSync(path) };
  if (!stat.isFile()) return { kind: 'other', what: stat.isDirectory() ? 'a folder' : 'no plain file' };
  const fd = openPlain(path);
  if (fd === null) return { kind: 'absent' };
  try {
    const opened = fstatSync(fd);
    if (!opened.isFile()) return { kind: 'other', what: 'no plain file' };
    if (opened.size > maxBytes) return { kind: 'other', what: `a file of ${inMegabytes(opened.size)}` };
    return { kind: 'file', bytes: readFileSync(fd), mode: opened.mode & 0o7777 };
  } finally {
    closeSync(fd);
  }
}

/** `null` when the file was removed this moment. */
function openPlain(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A path below a file counts as absent. */
export function lstatOrNull(path: string): BigIntStats | null {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
    throw error;
  }
}

/** Changes whenever the file is written, replaced or touched: the change time cannot be set back by a program. */
export function fileSignature(stat: BigIntStats): string {
  return `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}:${stat.mode}`;
}
