import { createHash } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { linkNew } from 'ralph-kit/files/atomic-file';
import { GitError } from '../../domain/ports.ts';
import type { GitObject, ObjectKind } from '../call/git.ts';

/** Git reads larger files faster; in bytes. */
const MAX_FILE_BYTES = 1024 * 1024;
/** Limit for inflated content, far above a real tree or commit of such a file. */
const MAX_CONTENT_BYTES = 64 * 1024 * 1024;

/** Hash function of a repository's ids. */
export type ObjectFormat = 'sha1' | 'sha256';

export function objectId(format: ObjectFormat, kind: ObjectKind, content: Buffer): string {
  return createHash(format).update(headerOf(kind, content)).update(content).digest('hex');
}

/**
 * Reads an object from its own file; `null` for no file, or one that git should read. @throws GitError when the content
 * has another id.
 */
export function readLoose(folder: string, id: string, format: ObjectFormat): GitObject | null {
  const raw = readWhole(fileOf(folder, id));
  if (raw === null) return null;
  let all: Buffer;
  try {
    all = inflateSync(raw, { maxOutputLength: MAX_CONTENT_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return null;
    throw new GitError(`the object ${id} is damaged: ${(error as Error).message}`);
  }
  const end = all.indexOf(0);
  const [, kind, size] = /^(blob|tree|commit|tag) (\d+)$/.exec(all.toString('latin1', 0, end)) ?? [];
  const content = all.subarray(end + 1);
  // An agent may have written the file, so its id is checked against the content.
  if (kind === undefined || Number(size) !== content.length || hashOf(format, all) !== id)
    throw new GitError(`the object ${id} is damaged: its content has another id`);
  return { id, kind: kind as ObjectKind, content };
}

export function hasLoose(folder: string, id: string): boolean {
  return lstatSync(fileOf(folder, id), { throwIfNoEntry: false })?.isFile() === true;
}

let counter = 0;

/**
 * Writes an object as its own file, atomically as git does, and returns its id. An existing file gets a new time, so
 * that git's housekeeping keeps it.
 * @param sync Waits until the file is on disk.
 * @throws GitError when the folder isn't writable.
 */
export function writeLoose(
  folder: string,
  format: ObjectFormat,
  kind: ObjectKind,
  content: Buffer,
  sync: boolean,
): string {
  const all = Buffer.concat([headerOf(kind, content), content]);
  const id = hashOf(format, all);
  const file = fileOf(folder, id);
  try {
    if (freshen(file)) return id;
    mkdirSync(join(folder, id.slice(0, 2)), { recursive: true });
    counter += 1;
    // Git removes files with such names when a process was killed.
    const passing = join(folder, id.slice(0, 2), `tmp_obj_${process.pid}_${counter}`);
    const fd = openSync(passing, 'wx', 0o444);
    try {
      writeAll(fd, deflateSync(all, { level: 1 }));
      if (sync) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    try {
      // The name is taken when another process has just written the same object.
      linkNew(passing, file);
    } finally {
      rmSync(passing, { force: true });
    }
    return id;
  } catch (error) {
    const { errno, message } = error as NodeJS.ErrnoException;
    if (errno === undefined) throw error;
    throw new GitError(`an object can't be written in ${folder} (${message})`);
  }
}

function freshen(file: string): boolean {
  try {
    const now = new Date();
    utimesSync(file, now, now);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    // The file exists, but belongs to another user or a read-only file system.
    return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
  }
}

function headerOf(kind: ObjectKind, content: Buffer): Buffer {
  return Buffer.from(`${kind} ${content.length}\0`, 'latin1');
}

function hashOf(format: ObjectFormat, all: Buffer): string {
  return createHash(format).update(all).digest('hex');
}

function fileOf(folder: string, id: string): string {
  return join(folder, id.slice(0, 2), id.slice(2));
}

/** Returns a file's bytes; `null` when the file is missing or too large. */
function readWhole(file: string): Buffer | null {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw new GitError(`the object ${file} can't be read: ${(error as Error).message}`);
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size > MAX_FILE_BYTES) return null;
    const bytes = Buffer.allocUnsafe(stat.size);
    let at = 0;
    while (at < bytes.length) {
      const read = readSync(fd, bytes, at, bytes.length - at, at);
      if (read === 0) break;
      at += read;
    }
    return bytes.subarray(0, at);
  } finally {
    closeSync(fd);
  }
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}
