import { readPlainFile } from '../files/plain-file.ts';
import {
  advance,
  EMPTY_MARK,
  isExpected,
  type JournalHead,
  type Mark,
  readHead,
} from '../journal/journal-head.ts';
import { listSegments, readSegment } from '../journal/segments.ts';
import type { StorePaths } from '../store-paths.ts';

/** The journal as it was before the agent ran. */
export type JournalBefore = {
  readonly bytes: Buffer;
  readonly mark: Mark;
  readonly seq: number;
};

/** Unchanged since, by the agent and by other ralph processes. */
export function isUntouched(paths: StorePaths, before: JournalBefore): boolean {
  if (!isExpected(before.mark, readHead(paths.head))) return false;
  const now = readPlainFile(paths.journal);
  return now.kind === 'file' && now.bytes.equals(before.bytes);
}

/**
 * What the journal must be now: the bytes from before and what other ralph processes appended since, which the head
 * outside of the repository vouches for. Equal to the file when it wasn't tampered with.
 */
export function rightfulJournal(paths: StorePaths, before: JournalBefore): Buffer {
  const head = readHead(paths.head);
  const file = readPlainFile(paths.journal);
  const now = file.kind === 'file' ? file.bytes : Buffer.alloc(0);
  if (head === null) return before.bytes;
  if (!now.subarray(0, before.bytes.length).equals(before.bytes) && isSealedAs(paths, before)) {
    // Sealed by another process in the meantime: the file begins anew and stands as a whole.
    const anew = longestVouched(now, EMPTY_MARK, () => true, head);
    if (anew !== null && anew.length > 0) return anew;
  }
  const since = (line: Buffer) => numberOf(line) > before.seq;
  const added = longestVouched(now, before.mark, since, head);
  return Buffer.concat([before.bytes, added ?? Buffer.alloc(0)]);
}

/** The chosen lines up to where the head vouches for them; `null` when it never does. */
function longestVouched(
  bytes: Buffer,
  from: Mark,
  choose: (line: Buffer) => boolean,
  head: JournalHead,
): Buffer | null {
  const chosen: Buffer[] = [];
  let vouched = isExpected(from, head) ? Buffer.alloc(0) : null;
  let size = from.size;
  for (let start = 0; ; ) {
    const end = bytes.indexOf(0x0a, start) + 1;
    if (end === 0) return vouched;
    const line = bytes.subarray(start, end);
    start = end;
    if (!choose(line)) continue;
    chosen.push(line);
    size += line.length;
    if (size !== head.now.size && size !== head.next.size) continue;
    const all = Buffer.concat(chosen);
    if (isExpected(advance(from, all), head)) vouched = all;
  }
}

function isSealedAs(paths: StorePaths, before: JournalBefore): boolean {
  return listSegments(paths.segments).some(({ path }) => isSealOf(path, before));
}

/** A segment that holds the journal from before, perhaps with more behind it. */
function isSealOf(path: string, before: JournalBefore): boolean {
  const bytes = readSegment(path);
  return bytes?.subarray(0, before.bytes.length).equals(before.bytes) ?? false;
}

/**
 * Segments that other ralph processes sealed since: the first holds the journal from before, each continues where the
 * one before ends, and the journal continues from the last.
 */
export function sealedSince(paths: StorePaths, before: JournalBefore): string[] {
  const file = readPlainFile(paths.journal);
  const journalStart = file.kind === 'file' ? numbersOf(file.bytes).first : 0;
  const sealed: string[] = [];
  let expected: number | null = null;
  for (const { path } of listSegments(paths.segments)) {
    if (expected === null && !isSealOf(path, before)) continue;
    const { first, last } = numbersOf(readSegment(path) ?? Buffer.alloc(0));
    if (expected !== null && first !== expected) break;
    sealed.push(path);
    expected = last + 1;
    if (expected === journalStart) return sealed;
  }
  return [];
}

/** Record numbers of the first and the last line. */
function numbersOf(bytes: Buffer): { first: number; last: number } {
  const lines = bytes.toString('utf8').trimEnd().split('\n');
  const number = (line: string | undefined) => numberOf(Buffer.from(line ?? ''));
  return { first: number(lines[0]), last: number(lines.at(-1)) };
}

function numberOf(line: Buffer): number {
  try {
    const seq: unknown = (JSON.parse(line.toString('utf8')) as { seq?: unknown } | null)?.seq;
    return typeof seq === 'number' ? seq : 0;
  } catch {
    return 0;
  }
}
