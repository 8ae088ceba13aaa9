import * as z from 'zod/mini';
import { JOURNAL_TYPES, JournalBody, type JournalRecord } from '../../domain/records/journal.ts';

/** Longer lines aren't ralph's records; in bytes. */
const MAX_LINE = 64 * 1024 * 1024;
const LINE_END = 0x0a;
const KNOWN_TYPES: ReadonlySet<string> = new Set(JOURNAL_TYPES);

export type JournalLine =
  | { readonly kind: 'record'; readonly record: JournalRecord; readonly seq: number }
  /** Written by a newer version: kept in the file, skipped by the fold. */
  | { readonly kind: 'newer'; readonly type: string; readonly seq: number };

export type JournalReading = {
  readonly records: readonly JournalRecord[];
  /** Number of the last valid record, including unknown types; 0 without any. */
  readonly seq: number;
  readonly newer: readonly string[];
  /** First invalid line, counted from 1; later lines don't count. `null`: all are valid. */
  readonly damage: { readonly line: number; readonly reason: string } | null;
  /** Bytes of the valid lines. */
  readonly size: number;
  /** Bytes of the first line; 0 without any. */
  readonly firstLine: number;
  /** Bytes after the last line end, from an interrupted write. */
  readonly rest: number;
};

/** Reads a journal up to the first invalid line: not a record, a wrong number, or rejected by `check`. */
export function readJournalLines(
  bytes: Buffer,
  check: (line: Buffer, read: JournalLine) => string | null = () => null,
): JournalReading {
  const records: JournalRecord[] = [];
  const newer: string[] = [];
  let damage: JournalReading['damage'] = null;
  let [seq, size, firstLine, number] = [0, 0, 0, 0];
  for (let start = 0; damage === null; ) {
    const end = bytes.indexOf(LINE_END, start);
    if (end === -1) break;
    number += 1;
    const line = bytes.subarray(start, end);
    const read = parseLine(line);
    const wrong =
      'wrong' in read
        ? read.wrong
        : seq === 0 || read.seq === seq + 1
          ? check(line, read)
          : `record ${read.seq} stands where ${seq + 1} belongs`;
    if ('wrong' in read || wrong !== null) {
      damage = { line: number, reason: wrong ?? '' };
      break;
    }
    start = end + 1;
    seq = read.seq;
    size = start;
    if (number === 1) firstLine = start;
    if (read.kind === 'record') records.push(read.record);
    else newer.push(read.type);
  }
  const rest = bytes.length - 1 - bytes.lastIndexOf(LINE_END);
  return { records, seq, newer, damage, size, firstLine, rest };
}

function parseLine(line: Buffer): JournalLine | { readonly wrong: string } {
  if (line.length > MAX_LINE) return { wrong: `it is ${line.length} bytes long` };
  let data: unknown;
  try {
    data = JSON.parse(line.toString('utf8'));
  } catch {
    return { wrong: "it isn't valid JSON" };
  }
  // Checked by hand for speed: this runs for every line at every start.
  const { seq, at, type } = (data ?? {}) as Record<string, unknown>;
  if (!Number.isSafeInteger(seq) || typeof seq !== 'number' || seq < 1 || typeof at !== 'string') {
    return { wrong: 'it has no record number and time' };
  }
  if (typeof type !== 'string') return { wrong: 'it has no type' };
  if (!KNOWN_TYPES.has(type)) return { kind: 'newer', type, seq };
  const body = JournalBody.safeParse(data);
  if (body.success) return { kind: 'record', record: Object.assign(body.data, { seq, at }), seq };
  const issue = z.prettifyError(body.error).split('\n').slice(0, 2).join(' ').trim();
  return { wrong: `record ${seq} (${type}) has another form: ${issue}` };
}
