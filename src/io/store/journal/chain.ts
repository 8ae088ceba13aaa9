import type { JournalRecord } from '../../../domain/records/journal.ts';
import { type Key, macOf } from '../home/key.ts';
import { type JournalReading, readJournalLines } from './journal-lines.ts';
import { isOwnLine } from './own-line.ts';
import { type ChainEnd, reachesEnd } from './reaches-end.ts';

/** A record's code: the key's id, and the code over the code before it and the record. */
const MAC = /,"mac":"([0-9a-f]{8})([0-9a-f]{32})"\}$/;
const TAIL = ',"mac":""}'.length + 40;

/** What the first record of all in a work tree follows on. */
export function beginningOf(key: Key, place: string): ChainEnd {
  return { seq: 0, mac: key.id + macOf(key, 'journal of ', place) };
}

/** A record as a line without its line end, chained to the one before it. */
export function chained(key: Key, before: string, record: JournalRecord): { line: string; mac: string } {
  const body = JSON.stringify(record).slice(0, -1);
  const mac = key.id + macOf(key, before, body);
  return { line: `${body},"mac":"${mac}"}`, mac };
}

/**
 * Reads the code of a line.
 *
 * @param before The code that the first line follows on.
 * @returns Its code, or what is wrong with it.
 */
export function readMac(key: Key, before: string, line: Buffer): { mac: string } | { wrong: string } {
  const match = MAC.exec(line.toString('latin1', Math.max(0, line.length - TAIL)));
  if (match === null) return { wrong: "it wasn't written by ralph" };
  const [, keyId = '', code = ''] = match;
  const body = line.subarray(0, line.length - TAIL);
  if (isOwnLine(key, before, { keyId, code, body })) return { mac: keyId + code };
  return { wrong: keyId === key.id ? "it wasn't written by ralph" : ANOTHER_KEY };
}

/** A journal of another repository or machine. */
export const ANOTHER_KEY = 'it was written with another key';

export type Chain = JournalReading & {
  readonly end: ChainEnd;
  /** It holds the newest record that is known. */
  readonly isWhole: boolean;
};

/**
 * Reads the lines of a journal, or of a sealed segment, as far as ralph wrote them with this key.
 *
 * @param place The work tree, as in `storePaths`.
 * @param newest The newest record that is known; `null`: any end will do.
 */
export function readChain(bytes: Buffer, key: Key, place: string, newest: ChainEnd | null): Chain {
  let end = beginningOf(key, place);
  let first = 0;
  let codeThere: string | null = null;
  const reading = readJournalLines(bytes, (line, read) => {
    // A snapshot begins a file and says itself what it follows on.
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
