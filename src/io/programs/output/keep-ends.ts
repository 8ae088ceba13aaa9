import { fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';

/** Of an output, so much of its beginning and as much of its end are kept. */
const END_BYTES = 25 * 1024 * 1024;

/**
 * Leaves the middle of a log out that is over, where it holds more than both ends may, and says so between them.
 *
 * @param log a descriptor open for reading and appending; nobody writes to it any more.
 * @returns where the first of both ends stops; `null`: all of it is kept.
 */
export function keepEnds(log: number, endBytes = END_BYTES): number | null {
  const { size } = fstatSync(log);
  if (size <= 2 * endBytes) return null;
  const tail = Buffer.alloc(endBytes);
  const read = readSync(log, tail, 0, endBytes, size - endBytes);
  const from = tail.indexOf('\n') + 1;
  const head = lineEndBefore(log, endBytes);
  const left = size - head - (read - from);
  ftruncateSync(log, head);
  writeSync(log, `ralph: ${left} bytes of the output are left out here.\n`);
  writeSync(log, tail, from, read - from);
  return head;
}

/** The last line end in the first bytes, or all of them where they are one line. */
function lineEndBefore(log: number, bytes: number): number {
  const room = Buffer.alloc(Math.min(bytes, 64 * 1024));
  const read = readSync(log, room, 0, room.length, bytes - room.length);
  const at = room.subarray(0, read).lastIndexOf('\n');
  return at === -1 ? bytes : bytes - room.length + at + 1;
}
