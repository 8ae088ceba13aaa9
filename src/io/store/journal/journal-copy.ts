import { closeSync, constants, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import * as z from 'zod/mini';
import { tryOr } from '../../../lib/try-or.ts';
import { replaceFile } from '../../files/atomic-file.ts';
import { lstatOrNull, readPlainFile } from '../../files/plain-file.ts';
import type { Key } from '../home/key.ts';
import { isOwnEnd, macOfEnd } from './own-end.ts';
import type { ChainEnd } from './reaches-end.ts';

/** Bytes before the copied journal: its end, with a code. Within one sector, so that no crash tears it. */
const HEAD_BYTES = 256;
const Head = z.object({ seq: z.number(), mac: z.string(), own: z.string() });

/** The end of the journal as it is remembered outside of the repository. */
export type KnownEnd = ChainEnd | 'changed' | null;

/** `changed`: not as ralph wrote it, or its key is gone; `null`: there is none. */
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

/** The copied journal; empty when it can't be read. */
export function readCopy(path: string, maxBytes: number): Buffer {
  const file = tryOr(null, () => readPlainFile(path, HEAD_BYTES + maxBytes));
  return file?.kind === 'file' ? file.bytes.subarray(HEAD_BYTES) : Buffer.alloc(0);
}

/**
 * Appends to the journal and to its copy. The copy's new end is written last: a crash leaves one that is older, never
 * one that the journal doesn't have. Nothing of the copy is forced to the disk: after a power failure the journal is
 * ahead of it, which is in order.
 *
 * @param size Bytes of the journal before.
 * @param append Appends to the journal itself.
 * @returns False when the copy isn't one of the journal before: nothing was done, and it is to be written anew.
 * @throws The Node error when one of them cannot be written; then neither end has changed.
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
    // Nothing there, or a pipe, a link or a folder: what is written anew takes its place.
    if (['ENOENT', 'ENXIO', 'ELOOP', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return null;
    throw error;
  }
}

/** Writes the whole copy. @throws The Node error when it cannot be written. */
export function writeCopy(path: string, head: Buffer, journal: Uint8Array): void {
  // Only a folder in its place withstands a rename; in this folder everything is ralph's.
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
