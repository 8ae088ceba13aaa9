const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** A longer line is given cut at this many bytes: it isn't a message of any agent we know. */
const LONGEST_LINE_BYTES = 1024 * 1024;

export type LineSplitter = {
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
