import { grouped } from '../../lib/counted.ts';
import { formatDuration } from '../../lib/duration.ts';
import { COST_KINDS, type Cost, type CostKind } from '../records/policy.ts';

export type BudgetShare = {
  /** 0 to 1 and beyond: of the limit that is nearest to its end. */
  readonly share: number;
  readonly by: CostKind;
};

/** How much of a budget is spent; `null`: there is no limit. */
export function budgetShare(limits: Cost, spent: Cost): BudgetShare | null {
  let most: BudgetShare | null = null;
  for (const by of COST_KINDS) {
    if (limits[by] <= 0) continue;
    const share = spent[by] / limits[by];
    if (most === null || share > most.share) most = { share, by };
  }
  return most;
}

/** `$3.20 of $20.00`, `1,100 of 2,000 tokens`. */
export function spentText(limits: Cost, spent: Cost, by: CostKind): string {
  const [used, limit] = [costText(spent[by], by), costText(limits[by], by)];
  return by === 'tokens' || by === 'iterations' ? `${used.split(' ')[0]} of ${limit}` : `${used} of ${limit}`;
}

/** A cost in words. */
export function costText(value: number, by: CostKind): string {
  switch (by) {
    case 'usd':
      return `$${value.toFixed(2)}`;
    case 'tokens':
      return `${grouped(Math.round(value))} tokens`;
    case 'iterations':
      return value === 1 ? '1 iteration' : `${Number.isInteger(value) ? value : value.toFixed(1)} iterations`;
    case 'ms':
      return formatDuration(Math.max(0, value));
  }
}
