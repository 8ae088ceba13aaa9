import { join } from 'node:path';
import { liveLine } from '../../actions/review/index.ts';
import { lineReader, type OutputFormat } from '../../domain/agent.ts';
import { openTranscript, type Transcript } from '../../report/index.ts';
import { type IterationFolder, readFrom, textOf } from './iteration-files.ts';

/** Bytes of an agent's output that are read, from its end. */
const OUTPUT_READ = 32 * 1024 * 1024;
const LINE_FEED = 10;

/** Reads the output of an attempt as it grows, by the adapter that the loop reads it with. */
export type TranscriptReader = {
  readonly entries: Transcript['entries'];
  /** Reads what has been added; with `atEnd`, a last line without its end, too. */
  readonly read: (atEnd: boolean) => void;
  /** What isn't in it, and why. */
  readonly notes: () => readonly string[];
};

export function readTranscript(folder: IterationFolder, format: OutputFormat): TranscriptReader {
  const { add, entries } = openTranscript(liveLine);
  const parse = lineReader(format);
  let offset = 0;
  let skipped = 0;
  let lines = 0;
  let inode: number | null = null;
  let torn = false;

  function line(text: string, atMs: number | null): void {
    const events = parse(text.replace(/\r$/, ''));
    for (const event of events) add(event, atMs);
    // What another program printed among the lines of the format.
    if (events.length > 0 || text.trim() === '' || text.trimStart().startsWith('{')) return;
    add({ kind: 'text', text: `${text}\n`, delta: true }, atMs);
  }

  function read(atEnd: boolean): void {
    const path = join(folder.path, 'output.log');
    let part = readFrom(path, offset, OUTPUT_READ);
    if (part !== null && inode !== null && part.inode !== inode) {
      // It is over and was rewritten without its secrets, line for line.
      const whole = readFrom(path, 0, OUTPUT_READ);
      offset = whole === null ? offset : whole.begin + behindLines(whole.bytes, lines);
      part = readFrom(path, offset, OUTPUT_READ);
    }
    if (part === null) return;
    inode = part.inode;
    // Cut meanwhile by a program that opened it anew, or longer than what is read of it.
    let from = part.begin === offset ? 0 : part.bytes.indexOf(LINE_FEED) + 1;
    skipped += Math.max(0, part.begin + from - offset);
    const times = timesIn(textOf(folder, 'output.times'));
    const next = () => part.bytes.indexOf(LINE_FEED, from);
    for (let end = next(); end >= 0; end = next()) {
      line(part.bytes.toString('utf8', from, end), times(part.begin + from));
      from = end + 1;
      lines += 1;
    }
    if (atEnd && from < part.bytes.length) {
      const before = entries.length;
      line(part.bytes.toString('utf8', from), times(part.begin + from));
      torn = entries.length === before && format.plainText !== true;
      from = part.bytes.length;
    }
    offset = part.begin + from;
  }

  const notes = () => [
    ...(skipped > 0 ? [`The first ${skipped} bytes of its output aren't shown: ralph logs --raw`] : []),
    ...(torn ? ['Its last line is cut off.'] : []),
  ];
  return { entries, read, notes };
}

/** Where the line behind so many begins. */
function behindLines(bytes: Buffer, lines: number): number {
  let at = 0;
  for (let line = 0; line < lines; line += 1) {
    const end = bytes.indexOf(LINE_FEED, at);
    if (end < 0) return bytes.length;
    at = end + 1;
  }
  return at;
}

/** When what begins at an offset was read (`io/programs/output/follow-file.ts`); `null`: it isn't known. */
function timesIn(text: string): (offset: number) => number | null {
  const marks = text.split('\n').flatMap((one) => {
    const [before, ms] = one.split(' ').map(Number);
    return before === undefined || ms === undefined || Number.isNaN(before + ms) ? [] : [{ before, ms }];
  });
  let next = 0;
  let at: number | null = null;
  return (offset) => {
    for (let mark = marks[next]; mark !== undefined && mark.before <= offset; mark = marks[next]) {
      at = mark.ms;
      next += 1;
    }
    return at;
  };
}
