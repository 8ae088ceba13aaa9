import { closeSync, constants, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { lstatOrNull, readPlainFile } from 'ralph-kit/files/plain-file';
import { tryOr } from 'ralph-kit/try-or';
import * as z from 'zod/mini';
import type { Key } from '../home/key.ts';
import { isOwnEnd, macOfEnd } from './own-end.ts';
import type { ChainEnd } from './reaches-end.ts';

/** Size of the header with the end and its code; within one sector, so no crash tears it. */
const HEAD_BYTES = 256;
const Head = z.object({ seq: z.number(), mac: z.string(), own: z.string() });

/** End of the journal as recorded outside the repository. */
export type KnownEnd = ChainEnd | 'changed' | null;

/** `changed`: not written by ralph, or without its key; `null`: none. */
export function readKnownEnd(path: string, key: Key | null, place: string): KnownEnd {
  try {
    if (lstatOrNull(path) === null) return null;
    if (key === null) return 'changed';
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!fstatSync(fd).isFile()) return 'changed';
      const bytes = Buffer.alloc(HEAD_BYTES);
      const { seq, mac, own } = Head.parse(
        JSON.parse(bytes.toString('utf8', 0, readSync(fd, bytes, 0, HEAD_BYTES, 0))),
      );
      return isOwnEnd(key, place, { seq, mac }, own) ? { seq, mac } : 'changed';
    } finally {
      closeSync(fd);
    }
  } catch {
    return 'changed';
  }
}

/** Returns the copied journal; empty when unreadable. */
export function readCopy(path: string, maxBytes: number): Buffer {
  const file = tryOr(null, () => readPlainFile(path, HEAD_BYTES + maxBytes));
  return file?.kind === 'file' ? file.bytes.subarray(HEAD_BYTES) : Buffer.alloc(0);
}

/**
 * Appends to the journal and its copy. The copy's end is written last, so after a crash it is older, never ahead of
 * the journal; the copy isn't synced.
 * @param size The journal's size before, in bytes.
 * @param append Appends to the journal.
 * @returns False, with nothing done, when the copy doesn't match and must be rewritten.
 * @throws The Node error; neither end has changed then.
 */
export function appendWithCopy(
  path: string,
  { bytes, size, head }: { readonly bytes: Uint8Array; readonly size: number; readonly head: Buffer },
  append: () => void,
): boolean {
  const fd = openCopy(path);
  if (fd === null) return false;
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size !== HEAD_BYTES + size) return false;
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(fd, bytes, done, bytes.length - done, HEAD_BYTES + size + done);
    }
    append();
    writeSync(fd, head, 0, HEAD_BYTES, 0);
    return true;
  } finally {
    closeSync(fd);
  }
}

function openCopy(path: string): number | null {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    // A missing file, pipe, link or folder is replaced by a new copy.
    if (['ENOENT', 'ENXIO', 'ELOOP', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return null;
    throw error;
  }
}

/** Throws the Node error when the copy can't be written. */
export function writeCopy(path: string, head: Buffer, journal: Uint8Array): void {
  // A rename can't replace a folder, and everything in this one is ralph's.
  if (lstatOrNull(path)?.isDirectory()) rmSync(path, { recursive: true, force: true });
  replaceFile(path, Buffer.concat([head, journal]), {
    mode: 0o600,
    durability: 'content',
    folderMode: 0o700,
  });
}

export function headOf(key: Key, place: string, { seq, mac }: ChainEnd): Buffer {
  const head = JSON.stringify({ seq, mac, own: macOfEnd(key, place, { seq, mac }) });
  return Buffer.from(`${head.padEnd(HEAD_BYTES - 1)}\n`);
}
