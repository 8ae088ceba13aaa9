import { fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';
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

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** A longer line is given cut at this many bytes: it isn't a message of any agent we know. */
const LONGEST_LINE_BYTES = 1024 * 1024;

type LineSplitter = {
  /** Gives every line that ends in this chunk. The chunk may be reused afterwards. */
  readonly push: (chunk: Buffer) => void;
  /** Gives a last line without a line end; what comes after it begins a new one. */
  readonly end: () => void;
};

/**
 * Splits bytes into lines (without their ends) in bounded memory. Invalid UTF-8 becomes replacement characters.
 *
 * @param together The whole lines of a chunk are given as one text with line feeds between them.
 */
export function splitLines(
  onLine: (line: string) => void,
  { longest = LONGEST_LINE_BYTES, together = false } = {},
): LineSplitter {
  /** What earlier chunks held of the line that is open. */
  let pieces: Buffer[] = [];
  let kept = 0;

  /** Gives the open line with its last bytes. */
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
      // The line that an earlier chunk began is closed alone.
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

/**
 * The marks of a log that was changed when it was over.
 *
 * @param at Where what stood at an offset stands now; `null`: it was left out.
 */
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

/** @param file a descriptor open for reading and writing; it stays open. */
export function moveMarks(file: number, at: (offset: number) => number | null): void {
  const marks = Buffer.alloc(fstatSync(file).size);
  readSync(file, marks, 0, marks.length, 0);
  ftruncateSync(file, 0);
  writeSync(file, movedMarks(marks.toString('latin1'), at));
}
