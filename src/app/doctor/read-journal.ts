import { tryOr } from 'ralph-kit/try-or';
import type { JournalRecord } from '../../domain/records/journal.ts';
import { EMPTY_STATE, type State } from '../../domain/records/state.ts';
import { foldRecords } from '../../state/index.ts';
import { inspectJournal } from '../../store/index.ts';
import type { RalphFolder } from '../setup/ralph-folder.ts';

export type JournalFacts =
  | { readonly kind: 'absent' }
  | { readonly kind: 'read'; readonly records: number; readonly bytes: number; readonly newer: number }
  /** The last record is incomplete because of a crash. */
  | { readonly kind: 'partial'; readonly records: number; readonly cutBytes: number }
  /** The doctor runs inside a run's box, where a journal can't be verified. */
  | { readonly kind: 'boxed_off'; readonly records: number }
  | { readonly kind: 'damaged' | 'unverified' | 'unreadable'; readonly reason: string };

function unverified(reason: string): JournalRecord {
  return { seq: 0, at: '', type: 'journal_unverified', reason, records: 0, done: 0, path: null };
}

export type ReadJournal = { readonly journal: JournalFacts; readonly state: State };

/** Reads without opening the store, which would repair, import and lock. `where` is `null` outside a repository. */
export function readJournal(
  where: Pick<RalphFolder, 'folder' | 'place'> | null,
  stateHome: string | null,
): ReadJournal {
  if (where === null || stateHome === null) return { journal: { kind: 'absent' }, state: EMPTY_STATE };
  let read: ReturnType<typeof inspectJournal>;
  try {
    read = inspectJournal(where.folder, stateHome, where.place);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { journal: { kind: 'unreadable', reason }, state: EMPTY_STATE };
  }
  const { check, chain, bytes, boxedOff } = read;
  if (boxedOff !== null) {
    const journal = { kind: 'boxed_off', records: boxedOff.length } as const;
    return { journal, state: tryOr(EMPTY_STATE, () => foldRecords(EMPTY_STATE, boxedOff)) };
  }
  const state = tryOr(EMPTY_STATE, () => foldRecords(EMPTY_STATE, chain?.records ?? []));
  if (check.kind === 'new') return { journal: { kind: 'absent' }, state };
  if (check.kind !== 'whole') {
    // If records are lost, tasks that are ticked without a record wait for you, as in a run.
    const isLost = check.kind === 'unverified' || chain?.isWhole !== true;
    return { journal: check, state: isLost ? foldRecords(state, [unverified(check.reason)]) : state };
  }
  const records = chain?.records.length ?? 0;
  if (chain !== null && chain.rest > 0) {
    return { journal: { kind: 'partial', records, cutBytes: chain.rest }, state };
  }
  return { journal: { kind: 'read', records, bytes, newer: chain?.newer.length ?? 0 }, state };
}
