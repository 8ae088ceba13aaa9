import { closeSync, constants, openSync, readSync } from 'node:fs';
import { type PlainFile, readPlainFile } from '../files/plain-file.ts';
import { advance, EMPTY_MARK, isExpected, type JournalHead, type Mark } from './journal-head.ts';
import type { JournalReading } from './journal-lines.ts';

/**
 * Bytes of a journal that are read. It is sealed at 512 KiB and a snapshot of the state, so more is not ralph's.
 */
const MAX_JOURNAL = 64 * 1024 * 1024;

/**
 * What is wrong with a journal, for the user; `null` when nothing is, or only what a crash explains.
 *
 * @param rest What follows the last line end.
 */
export function problemOf(
  reading: JournalReading,
  end: Mark,
  head: JournalHead | null,
  rest: Buffer,
): string | null {
  if (reading.damage !== null) return `line ${reading.damage.line}: ${reading.damage.reason}`;
  if (isExpected(end, head)) return null;
  if (rest.length > 0 && isExpected(advance(end, Buffer.concat([rest, Buffer.from('\n')])), head))
    return null;
  return head !== null && end.size < head.now.size
    ? 'it is shorter than ralph left it'
    : 'it was changed by something other than ralph';
}

/** The part of a journal that its head vouches for; all of it when there is no such part. */
export function vouchedPart(bytes: Buffer, head: JournalHead | null): Buffer {
  const sizes = head === null ? [] : [head.next.size, head.now.size].sort((a, b) => b - a);
  const size = sizes.find((one) => isExpected(advance(EMPTY_MARK, bytes.subarray(0, one)), head));
  return size === undefined ? bytes : bytes.subarray(0, size);
}

/** What stood in the place of a file, for the user. */
export function notPlain(file: { kind: 'link'; target: string } | { kind: 'other'; what: string }): string {
  return file.kind === 'link' ? `it was a symbolic link to ${file.target}` : `it was ${file.what}`;
}

export type JournalFile =
  | Exclude<PlainFile, { kind: 'file' }>
  /** `tooLarge`: what is wrong, for the user; the bytes are then only the beginning. */
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly tooLarge: string | null };

/** A journal that cannot be ralph's for its size is read as far as the head goes, without one up to the limit. */
export function readJournalFile(path: string, head: JournalHead | null): JournalFile {
  const file = readPlainFile(path, MAX_JOURNAL);
  if (file.kind === 'file') return { ...file, tooLarge: null };
  if (file.kind !== 'other' || !file.what.startsWith('a file of')) return file;
  const bytes = readBeginning(path, Math.min(head?.next.size ?? MAX_JOURNAL, MAX_JOURNAL));
  return { kind: 'file', bytes, tooLarge: `it was ${file.what}` };
}

/** The first bytes of a file. */
function readBeginning(path: string, count: number): Buffer {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const bytes = Buffer.allocUnsafe(count);
    let length = 0;
    while (length < count) {
      const read = readSync(fd, bytes, length, count - length, length);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(fd);
  }
}
