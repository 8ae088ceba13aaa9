import { createHash } from 'node:crypto';

/** Paths, one character per byte (latin1), that an index makes git skip. */
export type IndexFlags = { readonly assumed: ReadonlySet<string>; readonly skipped: ReadonlySet<string> };

const HEADER = 12;
/** Stamps of the file before the content's id. */
const STAMPS = 40;
const [ASSUMED, EXTENDED, NAME_LENGTH] = [0x8000, 0x4000, 0xfff];
const SKIPPED = 0x4000;

/**
 * Reads the flags of git's index of version 2, 3 or 4; `null` where it is something else. A process for it would take
 * ten times as long.
 *
 * @see gitformat-index(5)
 */
export function indexFlags(bytes: Buffer): IndexFlags | null {
  if (bytes.length < HEADER || bytes.toString('latin1', 0, 4) !== 'DIRC') return null;
  for (const idLength of [20, 32]) {
    try {
      return read(bytes, idLength);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return null;
}

/** Whether an index ends with the hash of what is before it, as git asks for, or with none (`index.skipHash`). */
export function isWholeIndex(bytes: Buffer): boolean {
  return (['sha1', 'sha256'] as const).some((kind) => {
    const hash = createHash(kind);
    const end = bytes.length - (kind === 'sha1' ? 20 : 32);
    if (end < HEADER) return false;
    const said = bytes.subarray(end);
    return said.every((byte) => byte === 0) || hash.update(bytes.subarray(0, end)).digest().equals(said);
  });
}

/** @throws RangeError where it isn't as it should be. */
function read(bytes: Buffer, idLength: number): IndexFlags {
  const [assumed, skipped] = [new Set<string>(), new Set<string>()];
  const version = bytes.readUInt32BE(4);
  let at = HEADER;
  let last = '';
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const flags = bytes.readUInt16BE(at + STAMPS + idLength);
    const isExtended = (flags & EXTENDED) !== 0;
    let from = at + STAMPS + idLength + 2;
    const isSkipped = isExtended && (bytes.readUInt16BE(from) & SKIPPED) !== 0;
    if (isExtended) from += 2;
    let kept = '';
    if (version === 4) {
      const { value, next } = readOffset(bytes, from);
      kept = last.slice(0, last.length - value);
      from = next;
    }
    const length = flags & NAME_LENGTH;
    const end = version === 4 || length === NAME_LENGTH ? bytes.indexOf(0, from) : from + length;
    if (end < from || bytes[end] !== 0) throw new RangeError('not an index');
    const isFlagged = isSkipped || (flags & ASSUMED) !== 0;
    if (version === 4 || isFlagged) last = kept + bytes.toString('latin1', from, end);
    if ((flags & ASSUMED) !== 0) assumed.add(last);
    if (isSkipped) skipped.add(last);
    // Up to version 3 entries are filled up to eight bytes, with at least one.
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
  return { assumed, skipped };
}

/** A number of git's own kind: seven bits per byte, and one more for each byte that follows. */
function readOffset(bytes: Buffer, from: number): { readonly value: number; readonly next: number } {
  let next = from;
  let byte = bytes.readUInt8(next);
  next += 1;
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = bytes.readUInt8(next);
    next += 1;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next };
}
