import { closeSync, openSync, readSync } from 'node:fs';
import { advance, EMPTY_MARK, isExpected, type JournalHead, type Mark } from './journal-head.ts';
import type { JournalReading } from './journal-lines.ts';

/**
 * What is wrong with a journal, for people; `null` when nothing is, or only what a crash explains.
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

/** What stood in the place of a file, for people. */
export function notPlain(file: { kind: 'link'; target: string } | { kind: 'other'; what: string }): string {
  return file.kind === 'link' ? `it was a symbolic link to ${file.target}` : `it was ${file.what}`;
}

/** The bytes of a file from an offset on. */
export function readFrom(path: string, offset: number): Buffer {
  const fd = openSync(path, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let position = offset; ; ) {
      const chunk = Buffer.allocUnsafe(65_536);
      const count = readSync(fd, chunk, 0, chunk.length, position);
      if (count === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, count));
      position += count;
    }
  } finally {
    closeSync(fd);
  }
}
