import { headOf, type Receipt, type ReceiptState } from '../../domain/receipt.ts';
import { VERDICT_WORDS } from '../../domain/verification.ts';

/** Objects of the repository with the ids in a receipt; `null`: missing. */
export type SeenOfReceipt = {
  readonly head: string | null;
  readonly base: string | null;
  readonly isBefore: boolean;
  /** Current time in milliseconds since 1970. */
  readonly now: number;
  /** Whether the content of all objects in both commits matches their ids. */
  readonly isWhole: boolean;
  /** States that the receipt has to be about; `null`: any. */
  readonly expected: { readonly base: ReceiptState; readonly head: ReceiptState } | null;
};

/**
 * Returns a sentence for each reason why a receipt isn't valid for a repository. The signature is checked elsewhere.
 */
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

/** Milliseconds by which the clocks of two machines may differ. */
const CLOCKS_MS = 24 * 3600 * 1000;

function ofTime(issuedAt: string, now: number): string {
  const at = Date.parse(issuedAt);
  if (Number.isNaN(at)) return "its time can't be read as a time";
  return at > now + CLOCKS_MS ? `it says that it was made at ${issuedAt}, which is in the future` : '';
}

const FINE: readonly string[] = ['passed', 'fixed', 'failed_before', 'down', 'tool_missing', 'skipped'];

/** Returns whether a gate's conclusion contradicts its outcomes. */
function isOdd({ before, after, standing: status, counts }: Receipt['predicate']['gates'][number]): boolean {
  if (counts !== !FINE.includes(status)) return true;
  const hasPassed = status === 'passed' || status === 'fixed';
  return hasPassed ? after !== 'passed' : status === 'failed_before' && before === 'passed';
}

/** Returns why the verdict contradicts the rest of the receipt; '': it doesn't. */
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
    return `${says} the proof is "${grade}", but no gate passed and no check was given`;
  return '';
}

function short(id: string): string {
  return id.slice(0, 10);
}
