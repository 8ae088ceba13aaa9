import { grouped } from '../../lib/counted.ts';

type Spent = { readonly tokens: number; readonly costUsd: number; readonly estimatedUsd: number };

/** What a line shows of it; nothing where nothing is known. */
export function spentParts(spent: Spent): string[] {
  return spent.tokens === 0 && moneyText(spent) === null ? [] : [spentText(spent)];
}

/** "3,702 tokens, $0.42"; money only where some is known. */
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
