import { fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import type { Clock } from '../../clock.ts';
import { deferred } from '../../deferred.ts';

/** Larger chunks need more memory (64 KiB: 7 MiB for text) without being faster. */
const CHUNK_BYTES = 16 * 1024;
/** Bounds of the interval between checks: short after new output, then doubling. */
const SHORTEST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;
/** Number of bytes read before other work gets a turn. */
const TURN_BYTES = 4 * 1024 * 1024;
/** Length of the file's beginning that is compared to detect a rewrite, in bytes. */
const HEAD_BYTES = 64;
/** A file that grew by more between two checks was stretched (`truncate -s 1T /dev/stdout`). */
const MOST_AT_ONCE_BYTES = 8 * 1024 ** 3;
/** Number of bytes read from the end of a stretched file. */
const END_BYTES = 16 * 1024 * 1024;

/** Bytes read, number of times the file was cut, and bytes skipped of a stretched file. */
export type Followed = { readonly bytes: number; readonly cuts: number; readonly skipped: number };

export type Listener = {
  /** The buffer is reused for the next chunk. */
  readonly onChunk: (chunk: Buffer) => void;
  /** Called when the next chunk doesn't continue the last one, because the file was cut. */
  readonly onBreak: () => void;
};

export type Follower = {
  /** Resolves with what reading or the listener has thrown. */
  readonly broken: Promise<unknown>;
  /** Reads the rest and stops. @throws What the listener threw. */
  readonly finish: () => Promise<Followed>;
};

/**
 * Follows a growing file with one chunk of memory. A file cut by a program that reopens `/dev/stdout` is read from
 * its new beginning; earlier data stays counted. Reads are synchronous: recently written data comes from memory,
 * faster than from another thread.
 * @param file Readable descriptor, left open.
 * @param longestPauseMs Maximum interval between checks.
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

  /** Reads to the file's current end, so that a fast writer can't keep it busy. */
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

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Longer lines are cut; no known agent's message is as long. In bytes. */
const LONGEST_LINE_BYTES = 1024 * 1024;

type LineSplitter = {
  /** Delivers each complete line; the chunk may be reused afterwards. */
  readonly push: (chunk: Buffer) => void;
  /** Delivers an unfinished last line. */
  readonly end: () => void;
};

/**
 * Splits bytes into lines without their ends, in bounded memory. Invalid UTF-8 becomes replacement characters.
 * @param together Joins a chunk's complete lines with line feeds into one text.
 */
export function splitLines(
  onLine: (line: string) => void,
  { longest = LONGEST_LINE_BYTES, together = false } = {},
): LineSplitter {
  /** Earlier parts of the unfinished line. */
  let pieces: Buffer[] = [];
  let kept = 0;

  const close = (tail: Buffer) => {
    const line = pieces.length === 0 ? tail : Buffer.concat([...pieces, tail]);
    pieces = [];
    kept = 0;
    const text = line.toString('utf8', 0, line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length);
    onLine(together ? text.replaceAll('\r\n', '\n') : text);
  };

  return {
    push: (chunk) => {
      let from = 0;
      // A line begun in an earlier chunk is delivered separately.
      const nextEnd = () =>
        together && pieces.length === 0 ? chunk.lastIndexOf(LINE_FEED) : chunk.indexOf(LINE_FEED, from);
      for (let at = nextEnd(); at >= from; at = nextEnd()) {
        close(chunk.subarray(from, Math.min(at, from + longest - kept)));
        from = at + 1;
      }
      const rest = chunk.subarray(from, Math.min(chunk.length, from + longest - kept));
      if (rest.length === 0) return;
      pieces.push(Buffer.from(rest));
      kept += rest.length;
    },
    end: () => {
      if (pieces.length > 0) close(Buffer.alloc(0));
    },
  };
}

/** Minimum distance between marks, in milliseconds. */
const APART_MS = 100;

/**
 * Records when a log was read: a line `BYTES MS` means that data after this offset was read at that time since the
 * attempt began, or shortly later. Only for display, so write errors are ignored.
 * @param file Writable descriptor, left open.
 * @returns A function to call with the length of each chunk.
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

/** Adjusts marks to a log that was changed after its end. @param at Maps an offset to the new log; `null`: removed. */
export function movedMarks(marks: string, at: (offset: number) => number | null): string {
  return marks
    .split('\n')
    .flatMap((line) => {
      const [, bytes = '', ms = ''] = /^(\d+) (\d+)$/.exec(line) ?? [];
      const moved = bytes === '' ? null : at(Number(bytes));
      return moved === null ? [] : [`${moved} ${ms}\n`];
    })
    .join('');
}

/** Applies `movedMarks` to a descriptor, which stays open. */
export function moveMarks(file: number, at: (offset: number) => number | null): void {
  const marks = Buffer.alloc(fstatSync(file).size);
  readSync(file, marks, 0, marks.length, 0);
  ftruncateSync(file, 0);
  writeSync(file, movedMarks(marks.toString('latin1'), at));
}
