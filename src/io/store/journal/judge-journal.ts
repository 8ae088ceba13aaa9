import { counted } from '../../../lib/counted.ts';
import { ANOTHER_KEY, type ChainEnd } from './chain.ts';
import type { KnownEnd } from './journal-copy.ts';
import type { Chain } from './read-chain.ts';

/** What stands in the place of the journal, as it was read. */
export type FoundJournal =
  | { readonly kind: 'absent' }
  /** `what`: for the user. */
  | { readonly kind: 'other'; readonly what: string }
  /** `chain`: `null` where there is no key to read it with. */
  | { readonly kind: 'file'; readonly isEmpty: boolean; readonly chain: Chain | null };

const MISSING = 'it was missing';

export type JournalJudgement =
  | { readonly kind: 'new' }
  | { readonly kind: 'whole' }
  /** Nothing says that it is not genuine, and nothing that it is. `reason` ends a sentence, as that of `damaged`. */
  | { readonly kind: 'unverified'; readonly reason: string }
  /** It isn't what ralph wrote. */
  | { readonly kind: 'damaged'; readonly reason: string };

/**
 * What to make of a journal.
 *
 * @param known The end that is remembered outside of the repository.
 * @param seen The end that this process saw itself; `null`: none yet.
 */
export function judgeJournal(found: FoundJournal, known: KnownEnd, seen: ChainEnd | null): JournalJudgement {
  const newest = newestEnd(known, seen);
  const isKnown = newest !== null && newest.seq > 0;
  if (found.kind === 'absent') {
    return isKnown || known === 'changed' ? { kind: 'damaged', reason: MISSING } : { kind: 'new' };
  }
  if (isKnown) {
    const reason = found.kind === 'other' ? `it was ${found.what}` : problemOf(found.chain, newest);
    return reason === null ? { kind: 'whole' } : { kind: 'damaged', reason };
  }
  if (found.kind === 'file' && (found.isEmpty || isBegun(found.chain, newest))) return { kind: 'whole' };
  return { kind: 'unverified', reason: whyUnverified(found, known) };
}

/** The later one; `null` when nothing is known. */
export function newestEnd(known: KnownEnd, seen: ChainEnd | null): ChainEnd | null {
  if (known === null || known === 'changed') return seen;
  return seen !== null && seen.seq > known.seq ? seen : known;
}

/** The end was written down before the first record, so that a crash behind that is nothing unusual. */
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

/** What to know of a journal that isn't verified. */
export function unverifiedText(reason: string, records: number, done: number): string {
  const what = `${counted(records, 'record')} and ${counted(done, 'done task')}`;
  return `The journal in .ralph isn't verified: ${reason}. Its ${what} don't count yet. If you know where it comes from: ralph trust --journal`;
}

/** From inside of the box of a run. */
export const BOXED_OFF =
  'Seen from inside of the box: ralph checks its records outside, and changes them there.';

/** The damage on screen, after the name of the file. */
export function whatHappened(reason: string): string {
  if (reason === MISSING) return reason.slice('it '.length);
  if (reason === ANOTHER_KEY) return `isn't from here (${reason}, as by another machine or repository)`;
  return `was changed by something other than ralph (${reason})`;
}
