import { fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import type { Clock } from '../../../domain/ports.ts';

/** Marks lie at least so far apart. */
const APART_MS = 100;

/**
 * Notes beside a log when it was read: a line `BYTES MS` says that what comes after so many bytes was read so many
 * milliseconds after the attempt began, or a moment later. For display alone: where it can't be written, it is missing.
 *
 * @param file a descriptor open for writing; it stays open.
 * @returns is called with the length of each piece as it is read.
 */
export function markTimes(file: number, clock: Clock): (bytes: number) => void {
  const begin = clock.monotonicMs();
  let read = 0;
  let last = Number.NEGATIVE_INFINITY;
  return (bytes) => {
    const now = clock.monotonicMs() - begin;
    const before = read;
    read += bytes;
    if (now - last < APART_MS) return;
    last = now;
    try {
      writeSync(file, `${before} ${Math.round(now)}\n`);
    } catch {
      last = Number.POSITIVE_INFINITY;
    }
  };
}

/** Leaves out the marks of what comes after so many bytes. */
export function keepMarks(file: number, bytes: number): void {
  const marks = Buffer.alloc(fstatSync(file).size);
  readSync(file, marks, 0, marks.length, 0);
  const kept = marks
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '' && Number.parseInt(line, 10) < bytes);
  ftruncateSync(file, 0);
  writeSync(file, kept.map((line) => `${line}\n`).join(''));
}
