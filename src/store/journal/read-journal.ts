import { isBoxedOff } from 'ralph-box/notes';
import { readPlainFile } from 'ralph-kit/files/plain-file';
import type { JournalRecord } from '../../domain/records/journal.ts';
import { readKey } from '../home/key.ts';
import { storePaths } from '../store-paths.ts';
import { readChain } from './chain.ts';
import { bestChain, checkJournal, findJournal, newestEnd } from './check-journal.ts';
import { readKnownEnd } from './journal-copy.ts';
import { readJournalLines } from './journal-lines.ts';
import { listSegments, readSegment } from './segments.ts';

/** Returns the records from the part with the run's start on; empty when no part has it. */
export function readRunRecords(
  dir: string,
  stateHome: string,
  place: string,
  run: string,
): readonly JournalRecord[] {
  const records = readRecords(dir, stateHome, place, (part) => holdsStart(part, run));
  return holdsStart(records, run) ? records : [];
}

/** Returns records from the newest part that `isEnough` accepts, else all, without damaged and foreign ones. */
export function readRecords(
  dir: string,
  stateHome: string,
  place: string,
  isEnough: (part: readonly JournalRecord[]) => boolean,
): readonly JournalRecord[] {
  const paths = storePaths(dir, stateHome, place);
  const key = readKey(stateHome);
  const recordsIn = (bytes: Buffer) =>
    (key === null ? readJournalLines(bytes) : readChain(bytes, key, place, null)).records;
  const journal = readPlainFile(paths.journal);
  const parts = [journal.kind === 'file' ? recordsIn(journal.bytes) : []];
  const segments = listSegments(paths.segments);
  while (!isEnough(parts[0] ?? [])) {
    const segment = segments.pop();
    if (segment === undefined) break;
    const bytes = readSegment(segment.path);
    parts.unshift(bytes === null ? [] : recordsIn(bytes));
  }
  const records: JournalRecord[] = [];
  // A crash can leave a record in two parts.
  for (const record of parts.flat()) if (record.seq > (records.at(-1)?.seq ?? 0)) records.push(record);
  return records;
}

function holdsStart(records: readonly JournalRecord[], run: string): boolean {
  return records.some((record) => record.type === 'run_started' && record.run === run);
}

/**
 * Returns how opening the store would judge a journal, writing nothing.
 * @returns `chain`: valid records, `null` when none count; `bytes`: file size; `boxedOff`: all records, inside a
 * run's box.
 * @throws The Node error when the journal can't be read.
 */
export function inspectJournal(dir: string, stateHome: string, place: string) {
  const paths = storePaths(dir, stateHome, place);
  const key = readKey(stateHome);
  const known = readKnownEnd(paths.copy, key, place);
  const newest = newestEnd(known, null);
  const found = findJournal(paths, key, newest);
  const check = checkJournal(found, known, null);
  const counts = key !== null && check.kind !== 'unverified';
  const chain = counts ? bestChain(paths, key, found.bytes, newest).chain : null;
  const boxedOff = isBoxedOff(dir) ? readJournalLines(found.bytes).records : null;
  return { check, chain, bytes: found.bytes.length, boxedOff };
}
