import { headOf, type Receipt, type ReceiptState } from '../../domain/receipt.ts';
import { VERDICT_WORDS } from '../../domain/verification.ts';

/** What a repository has by the names that a receipt gives; `null`: nothing. */
export type SeenOfReceipt = {
  /** The tree of each commit. */
  readonly head: string | null;
  readonly base: string | null;
  /** The base is in the commit's history. */
  readonly isBefore: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
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
    ofTime(predicate.issuedAt, seen.now),
    predicate.verdict.startsWith('verified') && head.gitTree === base.gitTree
      ? 'its commit and its base hold the same files'
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

/** Clocks of two machines may differ by so much, in milliseconds. */
const CLOCKS_MS = 24 * 3600 * 1000;

function ofTime(issuedAt: string, now: number): string {
  const at = Date.parse(issuedAt);
  if (Number.isNaN(at)) return "its time isn't one";
  return at > now + CLOCKS_MS ? `it says that it was made at ${issuedAt}, which is to come` : '';
}

/** Standings of gates that don't count against work. */
const FINE: readonly string[] = ['passed', 'fixed', 'failed_before', 'down', 'tool_missing', 'skipped'];

/** Whether a gate is said to stand otherwise than it ended. */
function isOdd({ before, after, standing: status, counts }: Receipt['predicate']['gates'][number]): boolean {
  if (counts !== !FINE.includes(status)) return true;
  const hasPassed = status === 'passed' || status === 'fixed';
  return hasPassed ? after !== 'passed' : status === 'failed_before' && before === 'passed';
}

/** A verdict that doesn't follow from what is said beside it. */
function contradiction({
  verdict,
  grade,
  gates,
  findings,
  askedFor,
}: Omit<Receipt['predicate'], 'base'>): string {
  const says = `it says "${VERDICT_WORDS[verdict]}", and`;
  const isVerified = verdict === 'verified' || verdict === 'verified_weak';
  const counting = gates.find(({ counts }) => counts);
  const isHeld = findings.some(({ level }) => level === 'error');
  if (isVerified && counting !== undefined) return `${says} gate "${counting.name}" counts against the work`;
  if (isHeld !== (verdict === 'not_verified'))
    return `${says} ${isHeld ? 'a finding' : 'no finding'} counts against the work`;
  if (verdict === 'verified' && grade !== 'tests' && grade !== 'held-out')
    return `${says} the proof is "${grade}"`;
  const odd = gates.find(isOdd);
  if (odd !== undefined)
    return `it says that gate "${odd.name}" stands as "${odd.standing}", and that it ended as "${odd.after}"`;
  const isShown = gates.some(({ after }) => after === 'passed') || askedFor.checks.length > 0;
  if (isVerified && grade !== 'none' && !isShown)
    return `${says} neither a gate nor a check shows the proof "${grade}"`;
  return '';
}

function short(id: string): string {
  return id.slice(0, 10);
}
