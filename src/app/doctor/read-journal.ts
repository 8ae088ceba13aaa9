import { join } from 'node:path';
import { EMPTY_STATE, type State } from '../../domain/records/state.ts';
import { readPlainFile } from '../../io/store/index.ts';
import { readJournalLines } from '../../io/store/journal/journal-lines.ts';
import { foldSegments } from '../../io/store/journal/segments.ts';
import { foldRecords } from '../../state/index.ts';
import { orElse } from './or-else.ts';

export type JournalFacts =
  | { readonly kind: 'absent' }
  | { readonly kind: 'read'; readonly records: number; readonly bytes: number; readonly newer: number }
  /** The last record was cut off by a crash. */
  | { readonly kind: 'partial'; readonly records: number; readonly cutBytes: number }
  | { readonly kind: 'damaged'; readonly reason: string }
  | { readonly kind: 'unreadable'; readonly reason: string };

export type ReadJournal = { readonly journal: JournalFacts; readonly state: State };

/** Reads the journal without opening the store, which would repair, import and take its lock. */
export function readJournal(dir: string): ReadJournal {
  const fold = { empty: EMPTY_STATE, apply: foldRecords };
  const segments = () => orElse(() => foldSegments(join(dir, 'journal'), fold), EMPTY_STATE);
  let file: ReturnType<typeof readPlainFile>;
  try {
    file = readPlainFile(join(dir, 'journal.jsonl'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { journal: { kind: 'unreadable', reason }, state: EMPTY_STATE };
  }
  if (file.kind === 'absent') return { journal: { kind: 'absent' }, state: segments() };
  if (file.kind !== 'file') {
    const reason = file.kind === 'link' ? `it is a symbolic link to ${file.target}` : `it is ${file.what}`;
    return { journal: { kind: 'damaged', reason }, state: segments() };
  }
  const reading = readJournalLines(file.bytes);
  const [first] = reading.records;
  const whole = first === undefined || first.seq === 1 || first.type === 'state_snapshot';
  const state = orElse(() => foldRecords(whole ? EMPTY_STATE : segments(), reading.records), EMPTY_STATE);
  return { journal: journalFacts(reading, file.bytes.length), state };
}

function journalFacts(reading: ReturnType<typeof readJournalLines>, bytes: number): JournalFacts {
  const { damage, complete, records, newer } = reading;
  if (damage !== null) return { kind: 'damaged', reason: `line ${damage.line}: ${damage.reason}` };
  if (complete < bytes) return { kind: 'partial', records: records.length, cutBytes: bytes - complete };
  return { kind: 'read', records: records.length, bytes, newer: newer.length };
}
