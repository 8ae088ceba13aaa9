const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** A longer line is given cut at this many bytes: it is no message of any agent we know. */
const LONGEST_LINE_BYTES = 1024 * 1024;

export type LineSplitter = {
  /** Gives every line that ends in this chunk. The chunk may be reused afterwards. */
  readonly push: (chunk: Buffer) => void;
  /** Gives a last line without a line end; what comes after it begins a new one. */
  readonly end: () => void;
};

/** Splits bytes into lines (without their ends) in bounded memory. Invalid UTF-8 becomes replacement characters. */
export function splitLines(onLine: (line: string) => void, longest = LONGEST_LINE_BYTES): LineSplitter {
  /** What earlier chunks held of the line that is open. */
  let pieces: Buffer[] = [];
  let kept = 0;

  /** Gives the open line with its last bytes. */
  const close = (tail: Buffer) => {
    const line = pieces.length === 0 ? tail : Buffer.concat([...pieces, tail]);
    pieces = [];
    kept = 0;
    onLine(line.toString('utf8', 0, line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length));
  };

  return {
    push: (chunk) => {
      let from = 0;
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
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
