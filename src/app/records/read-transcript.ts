import { join } from 'node:path';
import { liveLine } from 'ralph-actions/review';
import { lineReader, type OutputFormat } from 'ralph-agents/protocol';
import { openTranscript, type Transcript } from '../../tell/index.ts';
import { type IterationFolder, readFrom, textOf } from './iteration-files.ts';

/** Maximum number of bytes of an agent's output that are read: the last ones. */
const OUTPUT_READ = 32 * 1024 * 1024;
const LINE_FEED = 10;

/** Reads the growing output of an attempt with the same adapter as the loop. */
export type TranscriptReader = {
  readonly entries: Transcript['entries'];
  /** Reads new output. `atEnd`: also reads a last line without a line end. */
  readonly read: (atEnd: boolean) => void;
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
    // The agent's child processes may print lines that aren't in its format.
    if (events.length > 0 || text.trim() === '' || text.trimStart().startsWith('{')) return;
    add({ kind: 'text', text: `${text}\n`, delta: true }, atMs);
  }

  function read(atEnd: boolean): void {
    const path = join(folder.path, 'output.log');
    let part = readFrom(path, offset, OUTPUT_READ);
    if (part !== null && inode !== null && part.inode !== inode) {
      // At the end of an attempt, its log is rewritten line by line without secrets.
      const whole = readFrom(path, 0, OUTPUT_READ);
      offset = whole === null ? offset : whole.begin + behindLines(whole.bytes, lines);
      part = readFrom(path, offset, OUTPUT_READ);
    }
    if (part === null) return;
    inode = part.inode;
    // Either a program reopened the log and truncated it, or it is longer than the part that is read.
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

function behindLines(bytes: Buffer, lines: number): number {
  let at = 0;
  for (let line = 0; line < lines; line += 1) {
    const end = bytes.indexOf(LINE_FEED, at);
    if (end < 0) return bytes.length;
    at = end + 1;
  }
  return at;
}

/**
 * Returns a function that returns when output at an offset was read (`programs/output/follow-file.ts` in kit); `null`:
 * unknown.
 */
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
