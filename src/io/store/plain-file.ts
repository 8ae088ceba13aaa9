import {
  type BigIntStats,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
} from 'node:fs';

/** What stands at a path, symlinks not followed. */
export type PlainFile =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly mode: number }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'other'; readonly what: string };

/** @throws The Node error when the file is there and cannot be read. */
export function readPlainFile(path: string): PlainFile {
  const stat = lstatOrNull(path);
  if (stat === null) return { kind: 'absent' };
  if (stat.isSymbolicLink()) return { kind: 'link', target: readlinkSync(path) };
  if (!stat.isFile()) return { kind: 'other', what: stat.isDirectory() ? 'a folder' : 'no plain file' };
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return { kind: 'file', bytes: readFileSync(fd), mode: Number(stat.mode & 0o7777n) };
  } finally {
    closeSync(fd);
  }
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
