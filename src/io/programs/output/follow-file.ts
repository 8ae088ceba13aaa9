import { fstatSync, readSync } from 'node:fs';
import type { Clock } from '../../../domain/ports.ts';
import { deferred } from '../../../lib/deferred.ts';

/** Larger ones take more memory (64 KiB: 7 MiB, of text) and are not faster. */
const CHUNK_BYTES = 16 * 1024;
/** The next look comes so soon after one that found something, and later each time after one that did not. */
const SHORTEST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;
/** So much is read at once before everything else gets its turn. */
const TURN_BYTES = 4 * 1024 * 1024;
/** The beginning that tells a file from one that was cut and written anew. */
const HEAD_BYTES = 64;
/** Nothing writes so much between two looks: a file that grew by more was stretched (`truncate -s 1T /dev/stdout`). */
const MOST_AT_ONCE_BYTES = 8 * 1024 ** 3;
/** So much of the end of a stretched file is read. */
const END_BYTES = 16 * 1024 * 1024;

/** What was read in all, how often the file was cut meanwhile, and what was left out of a stretched one. */
export type Followed = { readonly bytes: number; readonly cuts: number; readonly skipped: number };

export type Listener = {
  /** The buffer is used again for the next chunk. */
  readonly onChunk: (chunk: Buffer) => void;
  /** The next chunk does not continue the one before. */
  readonly onBreak: () => void;
};

export type Follower = {
  /** Resolves when reading or the listener has thrown, with what it threw. */
  readonly broken: Promise<unknown>;
  /** Reads what is left and stops. @throws what the listener threw. */
  readonly finish: () => Promise<Followed>;
};

/**
 * Reads a file while others write to it. Memory stays at one chunk whatever its size. A file that is cut (a program
 * may open `/dev/stdout` anew) is read from its new beginning; what was read of it before counts.
 *
 * Reads are synchronous: the file was written a moment ago, so they come from memory, sooner than another thread
 * would have answered.
 *
 * @param file a descriptor open for reading; it stays open.
 * @param longestPauseMs the longest time between two looks.
 */
export function followFile(
  file: number,
  listener: Listener,
  clock: Clock,
  longestPauseMs: number = LONGEST_PAUSE_MS,
): Follower {
  const finished = new AbortController();
  const broken = deferred<unknown>();
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let head = Buffer.alloc(0);
  let offset = 0;
  let bytes = 0;
  let cuts = 0;
  let skipped = 0;
  const followed = follow();
  followed.catch(broken.resolve);

  async function follow(): Promise<Followed> {
    let pause = SHORTEST_PAUSE_MS;
    while (!finished.signal.aborted) {
      const before = bytes;
      await readOn();
      pause = bytes > before ? SHORTEST_PAUSE_MS : Math.min(pause * 2, longestPauseMs);
      await clock.sleep(pause, finished.signal);
    }
    await readOn();
    return { bytes, cuts, skipped };
  }

  /** Reads to the end that the file has now: a writer that is faster than the reader does not hold it here. */
  async function readOn(): Promise<void> {
    const { size } = fstatSync(file);
    if (size === offset) return;
    if (size < offset || !headStands()) {
      cuts += 1;
      offset = 0;
      head = Buffer.alloc(0);
      listener.onBreak();
    }
    if (size - offset > MOST_AT_ONCE_BYTES) {
      skipped += size - END_BYTES - offset;
      offset = size - END_BYTES;
      listener.onBreak();
    }
    let turn = 0;
    while (offset < size) {
      const read = readSync(file, buffer, 0, Math.min(buffer.length, size - offset), offset);
      if (read === 0) return;
      const chunk = buffer.subarray(0, read);
      if (offset === head.length && offset < HEAD_BYTES)
        head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
      listener.onChunk(chunk);
      offset += read;
      bytes += read;
      turn += read;
      if (turn >= TURN_BYTES) {
        turn = 0;
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }

  function headStands(): boolean {
    const now = Buffer.allocUnsafe(head.length);
    return readSync(file, now, 0, now.length, 0) === head.length && now.equals(head);
  }

  return {
    broken: broken.promise,
    finish: () => {
      finished.abort();
      return followed;
    },
  };
}
