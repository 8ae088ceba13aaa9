import {
  BUDGET_STEPS,
  budgetShare,
  COST_KINDS,
  type Cost,
  type CostKind,
  NO_COST,
} from '../../domain/policy.ts';

/** Share at which the maker uses a cheaper model. It is higher than for roles beside the maker that have one. */
export const DOWNGRADE_MAKER = 0.9;

export type BudgetStep = 'none' | keyof typeof BUDGET_STEPS;

/** Returns the step of the budget that is reached. A step begins exactly at its share. */
export function budgetStep(limits: Cost, spent: Cost): BudgetStep {
  const share = budgetShare(limits, spent)?.share ?? 0;
  if (share >= BUDGET_STEPS.stop) return 'stop';
  if (share >= BUDGET_STEPS.finish) return 'finish';
  if (share >= BUDGET_STEPS.downgrade) return 'downgrade';
  return share >= BUDGET_STEPS.warn ? 'warn' : 'none';
}

/** Returns what is left of each limit, at least 0; `null`: no limit is set. */
export function budgetLeft(limits: Cost, spent: Cost): Readonly<Record<CostKind, number | null>> {
  const left = (by: CostKind) => (limits[by] <= 0 ? null : Math.max(0, limits[by] - spent[by]));
  return { usd: left('usd'), tokens: left('tokens'), iterations: left('iterations'), ms: left('ms') };
}

/** Returns the limit that a task with this mean cost would cross; `null`: enough is left. */
export function notCovered(limits: Cost, spent: Cost, mean: Cost | null): CostKind | null {
  if (mean === null) return null;
  const left = budgetLeft(limits, spent);
  return COST_KINDS.find((by) => mean[by] > (left[by] ?? Number.POSITIVE_INFINITY)) ?? null;
}

/** Returns the limit that a running attempt has used up; `null`: none. */
export function isSpentWith(limits: Cost, spent: Cost, used: Partial<Cost>): CostKind | null {
  const now = { ...NO_COST, ...used };
  const crossed = (by: CostKind) => limits[by] > 0 && now[by] > 0 && spent[by] + now[by] >= limits[by];
  return COST_KINDS.find(crossed) ?? null;
}

/**
 * Returns the cheaper model `downgrade` once the share `from` of the budget is spent; `null`: the usual model is used.
 */
export function cheaperModel(
  limits: Cost,
  spent: Cost,
  downgrade: string | null,
  from: number,
): string | null {
  return (budgetShare(limits, spent)?.share ?? 0) >= from ? downgrade : null;
}

/**
 * Returns how many agents may run at once, at least 1. Some agents report their usage only at the end, so nothing else
 * keeps them within the budget.
 */
export function coveredAtOnce(limits: Cost, spent: Cost, one: Pick<Cost, 'usd' | 'tokens'>): number {
  const left = budgetLeft(limits, spent);
  const fits = (['usd', 'tokens'] as const).map((by) =>
    one[by] <= 0 ? Number.POSITIVE_INFINITY : Math.floor((left[by] ?? Number.POSITIVE_INFINITY) / one[by]),
  );
  return Math.max(1, Math.min(...fits));
}
