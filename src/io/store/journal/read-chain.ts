import type { Key } from '../home/key.ts';
import { beginningOf, type ChainEnd, readMac } from './chain.ts';
import { type JournalReading, readJournalLines } from './journal-lines.ts';
import { reachesEnd } from './reaches-end.ts';

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
    const snapshot = read.kind === 'record' && read.record.type === 'state_snapshot' ? read.record : null;
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
