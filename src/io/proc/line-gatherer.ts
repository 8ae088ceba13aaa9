import { isAscii } from 'node:buffer';
import { decode, LINE_FEED, type LineSplitter } from './line-splitter.ts';

/**
 * So much of the end is held at least: more than any reader keeps of a plain text, which is 256 Ki characters of
 * three bytes at most. Of ASCII a third is enough.
 */
const HELD_BYTES = 800 * 1024;
const BYTES_OF_CHARACTER = 3;

/**
 * Gathers the lines of plain text and gives them together, with line feeds between them: at `flush` the whole ones, at
 * `end` the rest. Of what comes between two flushes the end is given, the beginning of what is longer is in the
 * log alone: who prints hundreds of megabytes per second is not read line by line by anybody.
 */
export function gatherLines(onLines: (lines: string) => void, held = HELD_BYTES): LineSplitter {
  // More than that, so that the end is moved to the front seldom.
  const buffer = Buffer.allocUnsafe(Math.ceil(held * 1.5));
  let length = 0;

  const keep = (from: number) => {
    buffer.copyWithin(0, from, length);
    length -= from;
  };
  const give = (end: number) => {
    const ascii = isAscii(buffer.subarray(0, end));
    const from = Math.max(0, end - (ascii ? Math.floor(held / BYTES_OF_CHARACTER) : held));
    // Every line end may be CR LF; a carriage return inside of a line stays.
    onLines(decode(buffer, from, end, ascii).replaceAll('\r\n', '\n').replace(/\r$/, ''));
  };
  const flush = () => {
    const end = length === 0 ? -1 : buffer.lastIndexOf(LINE_FEED, length - 1);
    if (end < 0) return;
    give(end);
    keep(end + 1);
  };

  return {
    push: (chunk) => {
      const bytes = chunk.subarray(Math.max(0, chunk.length - held));
      if (length + bytes.length > buffer.length) keep(length - (held - bytes.length));
      buffer.set(bytes, length);
      length += bytes.length;
    },
    flush,
    end: () => {
      flush();
      if (length > 0) give(length);
      length = 0;
    },
  };
}
