import { isAscii } from 'node:buffer';
import { type LineReading, LONG_RESULT, RESULTS_READ } from '../../domain/agent.ts';

export const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** A longer line is given cut at this many bytes: it is no message of any agent we know. */
const LONGEST_LINE_BYTES = 1024 * 1024;

export type LineSplitter = {
  /** Gives every line that ends in this chunk. The chunk may be reused afterwards. */
  readonly push: (chunk: Uint8Array) => void;
  /** Nothing more is there at the moment: gives what has been gathered. */
  readonly flush: () => void;
  /** Gives a last line without a line end; what comes after it begins a new one. */
  readonly end: () => void;
};

type SplitOptions = Partial<Pick<LineReading, 'unread' | 'unreadWhenLong'>> & { readonly longest?: number };

/**
 * Splits bytes into lines (without their ends) in bounded memory. Invalid UTF-8 becomes replacement characters. Of
 * lines that are unread, no more than the first bytes are looked at.
 */
export function splitLines(onLine: (line: string) => void, options: SplitOptions = {}): LineSplitter {
  const { longest = LONGEST_LINE_BYTES } = options;
  const unread = (options.unread ?? []).map((beginning) => Buffer.from(beginning));
  const unreadWhenLong = (options.unreadWhenLong ?? []).map((beginning) => Buffer.from(beginning));
  let resultsRead = 0;
  /** What earlier chunks held of the line that is open. */
  let pieces: Buffer[] = [];
  let kept = 0;

  const give = (bytes: Buffer, from: number, to: number, ascii: boolean) => {
    if (beginsWithAny(bytes, from, to, unread)) return;
    if (beginsWithAny(bytes, from, to, unreadWhenLong)) {
      if (to - from > LONG_RESULT || resultsRead > RESULTS_READ) return;
      resultsRead += to - from;
    }
    onLine(decode(bytes, from, to > from && bytes[to - 1] === CARRIAGE_RETURN ? to - 1 : to, ascii));
  };

  /** Gives the open line with its last bytes. */
  const close = (tail: Buffer) => {
    const line = Buffer.concat([...pieces, tail]);
    pieces = [];
    kept = 0;
    give(line, 0, line.length, isAscii(line));
  };

  return {
    push: (chunk) => {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const ascii = isAscii(bytes);
      let from = 0;
      for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, from)) {
        if (pieces.length === 0) give(bytes, from, Math.min(at, from + longest), ascii);
        else close(bytes.subarray(from, Math.min(at, from + longest - kept)));
        from = at + 1;
      }
      const rest = bytes.subarray(from, Math.min(bytes.length, from + longest - kept));
      if (rest.length === 0) return;
      pieces.push(Buffer.from(rest));
      kept += rest.length;
    },
    flush: () => undefined,
    end: () => {
      if (pieces.length > 0) close(Buffer.alloc(0));
    },
  };
}

/** UTF-8 as text. ASCII is the same in Latin-1, which is read three times as fast. */
export function decode(
  bytes: Buffer,
  from: number,
  to: number,
  ascii = isAscii(bytes.subarray(from, to)),
): string {
  return bytes.toString(ascii ? 'latin1' : 'utf8', from, to);
}

/** By hand: for a few bytes `Buffer.compare` costs more than the comparison. */
function beginsWithAny(bytes: Buffer, from: number, to: number, beginnings: readonly Buffer[]): boolean {
  return beginnings.some((beginning) => {
    if (to - from < beginning.length) return false;
    for (let index = 0; index < beginning.length; index += 1) {
      if (bytes[from + index] !== beginning[index]) return false;
    }
    return true;
  });
}
