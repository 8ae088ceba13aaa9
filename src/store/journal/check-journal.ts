import { counted } from 'ralph-kit/counted';
import { readPlainFile } from 'ralph-kit/files/plain-file';
import type { Key } from '../home/key.ts';
import type { StorePaths } from '../store-paths.ts';
import { ANOTHER_KEY, type Chain, readChain } from './chain.ts';
import { type KnownEnd, readCopy } from './journal-copy.ts';
import type { ChainEnd } from './reaches-end.ts';

export type FoundJournal =
  | { readonly kind: 'absent' }
  /** `what` is a description for the user. */
  | { readonly kind: 'other'; readonly what: string }
  /** `chain` is `null` without a key to read it. */
  | { readonly kind: 'file'; readonly isEmpty: boolean; readonly chain: Chain | null };

const MISSING = 'it was missing';

export type JournalCheck =
  | { readonly kind: 'new' }
  | { readonly kind: 'whole' }
  /** Nothing proves or disproves that the journal is genuine. `reason` ends a sentence, like that of `damaged`. */
  | { readonly kind: 'unverified'; readonly reason: string }
  | { readonly kind: 'damaged'; readonly reason: string };

/**
 * Decides whether a journal is genuine.
 * @param known The end that was recorded outside of the repository.
 * @param seen The end that this process saw; `null`: none.
 */
export function checkJournal(found: FoundJournal, known: KnownEnd, seen: ChainEnd | null): JournalCheck {
  const newest = newestEnd(known, seen);
  const isKnown = newest !== null && newest.seq > 0;
  if (found.kind === 'absent') {
    return isKnown || known === 'changed' ? { kind: 'damaged', reason: MISSING } : { kind: 'new' };
  }
  if (found.kind === 'file' && found.isEmpty && newest === null && known !== 'changed')
    return { kind: 'new' };
  if (isKnown) {
    const reason = found.kind === 'other' ? `it was ${found.what}` : problemOf(found.chain, newest);
    return reason === null ? { kind: 'whole' } : { kind: 'damaged', reason };
  }
  if (found.kind === 'file' && (found.isEmpty || isBegun(found.chain, newest))) return { kind: 'whole' };
  return { kind: 'unverified', reason: whyUnverified(found, known) };
}

/** Returns the later end; `null` when none is known. */
export function newestEnd(known: KnownEnd, seen: ChainEnd | null): ChainEnd | null {
  if (known === null || known === 'changed') return seen;
  return seen !== null && seen.seq > known.seq ? seen : known;
}

/** The end is recorded before the first record, so a crash in between is normal. */
function isBegun(chain: Chain | null, newest: ChainEnd | null): boolean {
  return newest !== null && chain?.damage === null;
}

function problemOf(chain: Chain | null, newest: ChainEnd): string | null {
  if (chain === null) return 'its key is missing';
  const { damage, end, isWhole } = chain;
  if (damage?.reason === ANOTHER_KEY && end.seq === 0) return damage.reason;
  if (damage !== null) return `line ${damage.line}: ${damage.reason}`;
  if (isWhole) return null;
  return end.seq < newest.seq
    ? `it ends at record ${end.seq}, and ralph had written ${newest.seq}`
    : 'it is an older one';
}

function whyUnverified(found: FoundJournal, known: KnownEnd): string {
  if (found.kind === 'other') return `it is ${found.what}`;
  if (found.kind === 'absent' || found.chain === null || found.chain.damage !== null)
    return "its key isn't here: another machine, home or copy of this repository may have written it";
  return known === 'changed'
    ? 'what ralph remembers of its end was changed'
    : 'nothing outside of the repository says where it ends';
}

export function unverifiedText(reason: string, records: number, done: number): string {
  const what = `${counted(records, 'record')} and ${counted(done, 'done task')}`;
  return `The journal in .ralph isn't verified: ${reason}. Its ${what} don't count yet. If you know where it comes from: ralph trust --journal`;
}

/** Notice inside a run's box. */
export const BOXED_OFF =
  'Seen from inside of the box: ralph checks its records outside, and changes them there.';

/** Returns the damage for the screen, following the file's name. */
export function whatHappened(reason: string): string {
  if (reason === MISSING) return reason.slice('it '.length);
  if (reason === ANOTHER_KEY) return `isn't from here (${reason}, as by another machine or repository)`;
  return `was changed by something other than ralph (${reason})`;
}

/** Limit in bytes: ralph seals journals at 512 KiB plus a snapshot of the state. */
export const MAX_JOURNAL = 64 * 1024 * 1024;

/** Includes the bytes of a readable file. */
export type Found = FoundJournal & { readonly bytes: Buffer };

/** Reads the journal without following links. @throws The Node error when it can't be read. */
export function findJournal(paths: StorePaths, key: Key | null, newest: ChainEnd | null): Found {
  const none = Buffer.alloc(0);
  const file = readPlainFile(paths.journal, MAX_JOURNAL);
  if (file.kind === 'absent') return { kind: 'absent', bytes: none };
  if (file.kind === 'link') return { kind: 'other', what: `a symbolic link to ${file.target}`, bytes: none };
  if (file.kind === 'other') return { kind: 'other', what: file.what, bytes: none };
  const { bytes } = file;
  const chain = key === null ? null : readChain(bytes, key, paths.place, newest);
  return { kind: 'file', bytes, isEmpty: bytes.length === 0, chain };
}

/** Returns the journal or its copy, whichever has more of ralph's records. */
export function bestChain(paths: StorePaths, key: Key, found: Buffer, newest: ChainEnd | null) {
  const read = (bytes: Buffer): { readonly chain: Chain; readonly bytes: Buffer } => {
    const chain = readChain(bytes, key, paths.place, newest);
    return { chain, bytes: bytes.subarray(0, chain.size) };
  };
  const [file, copy] = [read(found), read(readCopy(paths.copy, MAX_JOURNAL))];
  return copy.chain.seq > file.chain.seq ? copy : file;
}
