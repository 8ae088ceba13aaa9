import type { JournalRecord } from '../../domain/records/journal.ts';
import { type Key, macOf } from '../home/key.ts';
import { type JournalReading, readJournalLines } from './journal-lines.ts';
import { isOwnLine } from './own-line.ts';
import { type ChainEnd, reachesEnd } from './reaches-end.ts';

/** A record's code: the key's id, then the code over the previous code and the record. */
const MAC = /,"mac":"([0-9a-f]{8})([0-9a-f]{32})"\}$/;
const TAIL = ',"mac":""}'.length + 40;

export function beginningOf(key: Key, place: string): ChainEnd {
  return { seq: 0, mac: key.id + macOf(key, 'journal of ', place) };
}

/** Returns a record as a line without its line end, chained to the previous code. */
export function chained(key: Key, before: string, record: JournalRecord): { line: string; mac: string } {
  const body = JSON.stringify(record).slice(0, -1);
  const mac = key.id + macOf(key, before, body);
  return { line: `${body},"mac":"${mac}"}`, mac };
}

/** Returns the code of a line, or what is wrong with it. @param before The previous line's code. */
export function readMac(key: Key, before: string, line: Buffer): { mac: string } | { wrong: string } {
  const match = MAC.exec(line.toString('latin1', Math.max(0, line.length - TAIL)));
  if (match === null) return { wrong: "it wasn't written by ralph" };
  const [, keyId = '', code = ''] = match;
  const body = line.subarray(0, line.length - TAIL);
  if (isOwnLine(key, before, { keyId, code, body })) return { mac: keyId + code };
  return { wrong: keyId === key.id ? "it wasn't written by ralph" : ANOTHER_KEY };
}

/** The journal comes from another repository or machine. */
export const ANOTHER_KEY = 'it was written with another key';

export type Chain = JournalReading & {
  readonly end: ChainEnd;
  /** Whether the newest known record is included. */
  readonly isWhole: boolean;
};

/**
 * Checks the records of a journal one by one, each by the code that is made from it and from the record before it.
 * @param place The work tree, as in `storePaths`.
 * @param newest The newest record that is known; `null` accepts any end.
 */
export function readChain(bytes: Buffer, key: Key, place: string, newest: ChainEnd | null): Chain {
  let end = beginningOf(key, place);
  let first = 0;
  let codeThere: string | null = null;
  const reading = readJournalLines(bytes, (line, read) => {
    // A snapshot at the beginning of a file names the code it follows.
    const snapshot = read.kind === 'record' && read.record.type === 'journal_continued' ? read.record : null;
    const result = readMac(key, first === 0 && snapshot !== null ? snapshot.after : end.mac, line);
    if ('wrong' in result) return result.wrong;
    end = { seq: read.seq, mac: result.mac };
    if (first === 0) first = read.seq;
    if (read.seq === newest?.seq) codeThere = result.mac;
    return null;
  });
  const isWhole = newest === null || reachesEnd(newest, { first, codeThere });
  return { ...reading, end, isWhole };
}
