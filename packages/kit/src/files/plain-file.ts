import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  type StatsBase,
} from 'node:fs';
import type * as z from 'zod/mini';
import { parseJson } from '../parse-json.ts';
import { tryOr } from '../try-or.ts';
import { PLAIN } from './plain-flags.ts';
import { keepPrivate } from './private-mode.ts';

/** Read limit in bytes; larger files weren't written by ralph. */
const MAX_READ = 64 * 1024 * 1024;
/** Opening never waits for the other end of a pipe. `fstat` reports whether the result is a file. */
const READ = constants.O_RDONLY | PLAIN;

/** The entry at a path, symlinks not followed. */
export type PlainFile =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly mode: number }
  | { readonly kind: 'link'; readonly target: string }
  /** `what` is a description for the user. A file over the limit is `other`, too. */
  | { readonly kind: 'other'; readonly what: string };

/**
 * Reads a file without ever waiting: a pipe or device isn't read, even if it was put there just now.
 * @param maxBytes Larger files aren't read.
 * @throws The Node error when an existing file can't be read.
 */
export function readPlainFile(path: string | Buffer, maxBytes = MAX_READ): PlainFile {
  const stat = lstatOrNull(path);
  if (stat === null) return { kind: 'absent' };
  if (stat.isSymbolicLink()) return { kind: 'link', target: readlinkSync(path) };
  if (!stat.isFile()) return { kind: 'other', what: whatItIs(stat) };
  let fd: number;
  try {
    fd = openSync(path, READ | constants.O_NOFOLLOW);
  } catch (error) {
    // Another process removed the file just now.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { kind: 'absent' };
    throw error;
  }
  try {
    const opened = fstatSync(fd);
    if (!opened.isFile()) return { kind: 'other', what: whatItIs(opened) };
    if (opened.size > maxBytes) return { kind: 'other', what: `a file of ${inMegabytes(opened.size)}` };
    return { kind: 'file', bytes: readFileSync(fd), mode: opened.mode & 0o7777 };
  } finally {
    closeSync(fd);
  }
}

/**
 * Returns the bytes of a file that you or an agent may have put there. Links are followed.
 * @throws The Node error; `ENOTFILE` for anything but a plain file within the limit. `whyUnreadable` explains both.
 */
export function readFileBytes(path: string, maxBytes = MAX_READ): Buffer {
  const fd = openSync(path, READ);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw notAFile(path, `it is ${whatItIs(stat)}`);
    if (stat.size > maxBytes)
      throw notAFile(path, `it has ${inMegabytes(stat.size)}, the limit is ${inMegabytes(maxBytes)}`);
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Opens ralph's file for a program. @throws The Node error; `ENOTFILE` when it is no longer a plain file. */
export function openPlainFile(path: string): number {
  const fd = openSync(path, READ | constants.O_NOFOLLOW);
  const stat = fstatSync(fd);
  if (stat.isFile()) return fd;
  closeSync(fd);
  throw notAFile(path, `it is ${whatItIs(stat)}`);
}

/** Opens ralph's own file in place, never a link, pipe (ENXIO) or device; makes it private. @throws The Node error */
export function openPlainForWriting(path: string, flags: number, mode: number): number {
  const fd = openSync(path, flags | PLAIN | constants.O_NOFOLLOW, mode);
  const stat = fstatSync(fd);
  if (stat.isFile()) {
    keepPrivate(fd, stat.mode, mode);
    return fd;
  }
  closeSync(fd);
  throw Object.assign(new Error(`ENXIO: ${whatItIs(stat)} is in the way, open '${path}'`), {
    code: 'ENXIO',
    syscall: 'open',
    path,
  });
}

/** Returns why `readFileBytes` failed, as a sentence's end: "permission denied", "it is a named pipe". */
export function whyUnreadable(error: unknown): string {
  const { code, why, message } = error as NodeJS.ErrnoException & { readonly why?: string };
  return why ?? REASONS[code ?? ''] ?? code ?? message;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "it doesn't exist",
  ENOTDIR: "a part of its path isn't a folder",
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its links lead in a circle',
  ENXIO: 'it is a socket',
};

function notAFile(path: string, why: string): Error {
  const error = new Error(`ENOTFILE: ${why}, read '${path}'`);
  return Object.assign(error, { code: 'ENOTFILE', syscall: 'read', path, why });
}

/** Returns a description for the user: "a folder", "a link to DIR"; "nothing" when it is gone. */
export function describePath(path: string): string {
  const stat = lstatOrNull(path);
  if (stat === null) return 'nothing';
  return stat.isSymbolicLink() ? `a link to ${readlinkSync(path)}` : whatItIs(stat);
}

function whatItIs(stat: StatsBase<number | bigint>): string {
  if (stat.isDirectory()) return 'a folder';
  if (stat.isFIFO()) return 'a named pipe';
  if (stat.isSocket()) return 'a socket';
  return stat.isFile() ? 'a file' : 'a device';
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Returns `null` for a missing path, also below a file. */
export function lstatOrNull(path: string | Buffer): BigIntStats | null {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
    throw error;
  }
}

/** Returns a value that changes with every write, replacement or touch: programs can't set the change time. */
export function fileSignature(stat: BigIntStats): string {
  return `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}:${stat.mode}`;
}

/** Returns the text of a plain file; `null` when it can't be read. */
export function plainText(path: string, maxBytes?: number): string | null {
  const file = tryOr(null, () => readPlainFile(path, maxBytes));
  return file?.kind === 'file' ? file.bytes.toString('utf8') : null;
}

/** Returns one of ralph's own documents; `null` when it can't be read or has another form. */
export function readJson<T>(path: string, schema: z.ZodMiniType<T>, maxBytes?: number): T | null {
  return parseJson(plainText(path, maxBytes), schema);
}

/** Returns names in no order; empty when the folder can't be read. */
export function namesIn(folder: string): string[] {
  return tryOr([], () => readdirSync(folder));
}
