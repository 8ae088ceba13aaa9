import { headOf, type Receipt, type ReceiptState } from '../../domain/receipt.ts';
import { VERDICT_WORDS } from '../../domain/verification.ts';

/** What a repository has by the names that a receipt gives; `null`: nothing. */
export type SeenOfReceipt = {
  /** The tree of each commit. */
  readonly head: string | null;
  readonly base: string | null;
  /** The base is in the commit's history. */
  readonly isBefore: boolean;
  /** Every object of both commits holds what its id says. */
  readonly isWhole: boolean;
  /** What the caller asks about; `null`: what the receipt names. */
  readonly expected: { readonly base: ReceiptState; readonly head: ReceiptState } | null;
};

/** Why a receipt doesn't hold for a repository, each in a sentence about it; none: it does. Its signature is checked elsewhere. */
export function doubtsOf(receipt: Receipt, seen: SeenOfReceipt): string[] {
  const { base, ...predicate } = receipt.predicate;
  const head = headOf(receipt);
  return [
    ...aboutState('commit', head, seen.head, seen.expected?.head),
    ...aboutState('base', base, seen.base, seen.expected?.base),
    seen.head !== null && seen.base !== null && !seen.isBefore
      ? `its base ${short(base.gitCommit)} isn't before its commit ${short(head.gitCommit)}`
      : '',
    seen.head !== null && seen.base !== null && !seen.isWhole
      ? 'an object of its commits is missing here, or holds something else than its id says'
      : '',
    contradiction(predicate),
  ].filter((text) => text !== '');
}

function aboutState(
  what: string,
  { gitCommit, gitTree }: ReceiptState,
  seen: string | null,
  expected: ReceiptState | undefined,
): string[] {
  if (expected !== undefined && expected.gitCommit !== gitCommit)
    return [`its ${what} is ${short(gitCommit)}, and you ask about ${short(expected.gitCommit)}`];
  if (seen === null) return [`its ${what} ${short(gitCommit)} isn't in this repository`];
  if (seen === gitTree) return [];
  return [`its ${what} ${short(gitCommit)} has the tree ${short(seen)}, and it says ${short(gitTree)}`];
}

/** A verdict that doesn't follow from what is said beside it. */
function contradiction({ verdict, grade, gates, findings }: Omit<Receipt['predicate'], 'base'>): string {
  const says = `it says "${VERDICT_WORDS[verdict]}", and`;
  const isVerified = verdict === 'verified' || verdict === 'verified_weak';
  const counting = gates.find(({ counts }) => counts);
  const isHeld = findings.some(({ level }) => level === 'error');
  if (isVerified && counting !== undefined) return `${says} gate "${counting.name}" counts against the work`;
  if (isHeld !== (verdict === 'not_verified'))
    return `${says} ${isHeld ? 'a finding' : 'no finding'} counts against the work`;
  if (verdict === 'verified' && grade !== 'tests' && grade !== 'held-out')
    return `${says} the proof is "${grade}"`;
  return '';
}

function short(id: string): string {
  return id.slice(0, 10);
}
