import { grouped } from 'ralph-kit/counted';
import type { EntryOf } from '../domain/entry.ts';
import { budgetShare, COST_KINDS, type Cost, spentText as costSpentText } from '../domain/policy.ts';
import type { Spent } from '../domain/spend.ts';
import { RESUME } from './commands.ts';
import { localTime } from './times.ts';

/** `$3.20 of $20.00, 40,000 of 1,000,000 tokens`: what is limited; '' where nothing is. */
export function budgetText(limits: Cost, spent: Cost): string {
  return COST_KINDS.filter((by) => limits[by] > 0)
    .map((by) => costSpentText(limits, spent, by))
    .join(', ');
}

/** What a run may cost, and what earlier ones spent of it. */
export function costLimitText(budget: EntryOf<'run_started'>['budget'], now: Date): string {
  if (budget === null) return 'no cost limit';
  const { limits, spent, since } = budget;
  const isFresh = (budgetShare(limits, spent)?.share ?? 0) < 0.01;
  const when = isFresh ? '' : ` since ${localTime(since, now)} (a new one: ${RESUME})`;
  return `budget ${budgetText(limits, spent)}${when}`;
}

export function spentParts(spent: Spent): string[] {
  return spent.tokens === 0 && moneyText(spent) === null ? [] : [spentText(spent)];
}

/** Returns a text such as "3,702 tokens, $0.42"; without money if no cost is known. */
export function spentText(spent: Spent): string {
  const money = moneyText(spent);
  return `${grouped(spent.tokens)} tokens${money === null ? '' : `, ${money}`}`;
}

/**
 * Money for the screen: `$0.42`, `~$0.42 (estimated)`, or both; `null` where nothing is known.
 *
 * @param costUsd as reported. `estimatedUsd`: by prices.
 */
export function moneyText({ costUsd, estimatedUsd }: Omit<Spent, 'tokens'>): string | null {
  const parts = [
    ...(costUsd > 0 ? [dollars(costUsd)] : []),
    ...(estimatedUsd > 0 ? [`~${dollars(estimatedUsd)} (estimated)`] : []),
  ];
  return parts.length === 0 ? null : parts.join(' + ');
}

/** Cents, or the first two digits of what is less than one. */
function dollars(amount: number): string {
  return amount >= 0.01 ? `$${amount.toFixed(2)}` : `$${Number(amount.toPrecision(2))}`;
}
