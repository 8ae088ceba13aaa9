import { fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { withoutEscapes } from '../../text.ts';

/** Number of bytes kept from the end of a program's output for feedback. */
const TAIL_BYTES = 8 * 1024;

/** Returns the last lines of an open file, cleaned and without a partial first line. */
export function readTailOf(file: number, maxBytes = TAIL_BYTES): string {
  const { size } = fstatSync(file);
  const buffer = Buffer.alloc(Math.min(size, maxBytes));
  const read = readSync(file, buffer, 0, buffer.length, size - buffer.length);
  const text = cleanText(buffer.toString('utf8', 0, read));
  const lineEnd = text.indexOf('\n');
  const cut = size > maxBytes && lineEnd >= 0 && lineEnd < text.length - 1;
  return (cut ? text.slice(lineEnd + 1) : text).trimEnd();
}

export function endOf(text: string): string {
  if (text.length <= TAIL_BYTES / 2) return text;
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= TAIL_BYTES) return text;
  const end = bytes.subarray(bytes.length - TAIL_BYTES).toString('utf8');
  const lineEnd = end.indexOf('\n');
  return lineEnd >= 0 && lineEnd < end.length - 1 ? end.slice(lineEnd + 1) : end;
}

/** Control characters except tab and line feed. */
const CONTROLS = /[^\P{Cc}\t\n]/gu;

/** Removes terminal escapes and control characters; a line overwritten by carriage returns keeps its last state. */
export function cleanText(text: string): string {
  return withoutEscapes(text)
    .replace(/\r+\n/g, '\n')
    .replace(/[^\n]*\r(?=[^\n])/g, '')
    .replace(CONTROLS, '');
}

/** Number of bytes kept from the beginning and from the end of an output. */
const END_BYTES = 25 * 1024 * 1024;

/**
 * Replaces the middle of an oversized finished log by a note.
 * @param log Descriptor for reading and appending that nothing else writes.
 * @returns Length of the kept beginning; `null` when everything is kept.
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

/** Returns the offset after the last line end within `bytes`, or `bytes` when there is none. */
function lineEndBefore(log: number, bytes: number): number {
  const room = Buffer.alloc(Math.min(bytes, 64 * 1024));
  const read = readSync(log, room, 0, room.length, bytes - room.length);
  const at = room.subarray(0, read).lastIndexOf('\n');
  return at === -1 ? bytes : bytes - room.length + at + 1;
}
