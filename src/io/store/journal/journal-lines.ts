import * as z from 'zod/mini';
import { JOURNAL_TYPES, JournalBody, type JournalRecord } from '../../../domain/records/journal.ts';

/** A line longer than this is no record of ours, in bytes. */
const MAX_LINE = 64 * 1024 * 1024;
const LINE_END = 0x0a;
const KNOWN_TYPES: ReadonlySet<string> = new Set(JOURNAL_TYPES);

type Line =
  | { readonly kind: 'record'; readonly record: JournalRecord; readonly seq: number }
  /** Written by a newer version: kept in the file, skipped by the fold. */
  | { readonly kind: 'newer'; readonly type: string; readonly seq: number }
  | { readonly kind: 'damaged'; readonly reason: string };

export type JournalReading = {
  readonly records: readonly JournalRecord[];
  /** Number of the last record, unknown ones included. */
  readonly seq: number;
  /** Types that this version does not know. */
  readonly newer: readonly string[];
  /** First damage: its 1-based line and what is wrong; `null` when all is well. */
  readonly damage: { readonly line: number; readonly reason: string } | null;
  /** Bytes up to the last line end, which is part of them. */
  readonly complete: number;
  /** Bytes of the first line with its end; 0 without any. */
  readonly firstLine: number;
};

/**
 * Reads the lines of a journal. A record that was read before is skipped; a damaged line is reported, and what follows
 * it is read all the same.
 */
export function readJournalLines(bytes: Buffer): JournalReading {
  const { lines, complete } = splitLines(bytes);
  const parsed = lines.map(parseLine);
  const records: JournalRecord[] = [];
  const newer: string[] = [];
  let damage: JournalReading['damage'] = null;
  let last = 0;
  for (const [index, line] of parsed.entries()) {
    const wrong = line.kind === 'damaged' ? line.reason : numberProblem(line, parsed[index + 1], last);
    if (wrong !== null && damage === null) damage = { line: index + 1, reason: wrong };
    if (line.kind === 'damaged' || line.seq <= last || isOutOfLine(line, parsed[index + 1], last)) continue;
    last = line.seq;
    if (line.kind === 'record') records.push(line.record);
    else newer.push(line.type);
  }
  const first = lines[0];
  return {
    records,
    seq: last,
    newer,
    damage,
    complete,
    firstLine: first === undefined ? 0 : first.length + 1,
  };
}

/** One line, for a last line without its line end. */
export function isCompleteRecord(line: Uint8Array): boolean {
  return parseLine(Buffer.from(line)).kind !== 'damaged';
}

function splitLines(bytes: Buffer): { lines: Buffer[]; complete: number } {
  const lines: Buffer[] = [];
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(LINE_END, start);
    if (end === -1) return { lines, complete: start };
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
}

function parseLine(line: Buffer): Line {
  if (line.length > MAX_LINE) return { kind: 'damaged', reason: `it is ${line.length} bytes long` };
  let data: unknown;
  try {
    data = JSON.parse(line.toString('utf8'));
  } catch {
    return { kind: 'damaged', reason: "it isn't valid JSON" };
  }
  // By hand, as this runs for every line at every start.
  const { seq, at, type } = (data ?? {}) as Record<string, unknown>;
  if (!Number.isSafeInteger(seq) || typeof seq !== 'number' || seq < 1 || typeof at !== 'string') {
    return { kind: 'damaged', reason: 'it has no record number and time' };
  }
  if (typeof type !== 'string') return { kind: 'damaged', reason: 'it has no type' };
  if (!KNOWN_TYPES.has(type)) return { kind: 'newer', type, seq };
  const body = JournalBody.safeParse(data);
  if (body.success) return { kind: 'record', record: Object.assign(body.data, { seq, at }), seq };
  const issue = z.prettifyError(body.error).split('\n').slice(0, 2).join(' ').trim();
  return { kind: 'damaged', reason: `record ${seq} (${type}) has another form: ${issue}` };
}

/** `null` when the number is the one that must come, or one that was read before. */
function numberProblem(line: Exclude<Line, { kind: 'damaged' }>, next: Line | undefined, last: number) {
  if (isOutOfLine(line, next, last)) return `record ${line.seq} stands where ${last + 1} belongs`;
  if (line.seq <= last + 1 || startsAnew(line)) return null;
  return `the records ${last + 1} to ${line.seq - 1} are missing`;
}

/** A journal may begin with the fold of all that came before. */
function startsAnew(line: Line): boolean {
  return line.kind === 'record' && line.record.type === 'state_snapshot';
}

/** The number itself is damaged when the line after it continues as if it had been the right one. */
function isOutOfLine(
  line: Exclude<Line, { kind: 'damaged' }>,
  next: Line | undefined,
  last: number,
): boolean {
  if (line.seq <= last + 1 || next === undefined || next.kind === 'damaged' || startsAnew(line)) return false;
  return next.seq <= line.seq && next.seq > last;
}
