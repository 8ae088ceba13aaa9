import {
  type BudgetWindow,
  budgetShare,
  COST_KINDS,
  type Cost,
  type CostKind,
  NO_COST,
} from '../../domain/policy.ts';

/** Shares of a budget from which on something is done (spec 6, Policy boundaries). */
export const BUDGET_STEPS = { warn: 0.5, downgrade: 0.8, finish: 0.95, stop: 1 } as const;
/** From this share on the maker follows, where roles beside it have a cheaper model and use that first. */
export const DOWNGRADE_MAKER = 0.9;

/** What the share of a budget that is spent asks for. */
export type BudgetStep = 'none' | keyof typeof BUDGET_STEPS;

/** Whether anything is limited. */
export function hasBudget(limits: Cost): boolean {
  return COST_KINDS.some((by) => limits[by] > 0);
}

/** What a budget's window spent until now (ISO 8601 UTC), while a run of it is running. */
export function spentUntil({ spent, runStartedAt }: BudgetWindow, now: string): Cost {
  const running = runStartedAt === null ? 0 : Date.parse(now) - Date.parse(runStartedAt);
  return { ...spent, ms: spent.ms + Math.max(0, running) };
}

/** The furthest step that is reached; each begins just at its number. */
export function budgetStep(limits: Cost, spent: Cost): BudgetStep {
  const share = budgetShare(limits, spent)?.share ?? 0;
  if (share >= BUDGET_STEPS.stop) return 'stop';
  if (share >= BUDGET_STEPS.finish) return 'finish';
  if (share >= BUDGET_STEPS.downgrade) return 'downgrade';
  return share >= BUDGET_STEPS.warn ? 'warn' : 'none';
}

/** What is left of each limit, at least 0; `null` for what has none. */
export function budgetLeft(limits: Cost, spent: Cost): Readonly<Record<CostKind, number | null>> {
  const left = (by: CostKind) => (limits[by] <= 0 ? null : Math.max(0, limits[by] - spent[by]));
  return { usd: left('usd'), tokens: left('tokens'), iterations: left('iterations'), ms: left('ms') };
}

/** The limit that another task of this mean cost would cross; `null`: what is left covers it. */
export function notCovered(limits: Cost, spent: Cost, mean: Cost | null): CostKind | null {
  if (mean === null) return null;
  const left = budgetLeft(limits, spent);
  return COST_KINDS.find((by) => mean[by] > (left[by] ?? Number.POSITIVE_INFINITY)) ?? null;
}

/** Whether an attempt in progress has to end now: with what it used so far, the budget is spent. */
export function isSpentWith(limits: Cost, spent: Cost, used: Partial<Cost>): CostKind | null {
  const now = { ...NO_COST, ...used };
  const crossed = (by: CostKind) => limits[by] > 0 && now[by] > 0 && spent[by] + now[by] >= limits[by];
  return COST_KINDS.find(crossed) ?? null;
}

/**
 * The cheaper model, where the share of the budget that is spent asks for it; `null`: the usual one.
 *
 * @param from The share from which on it does: `BUDGET_STEPS.downgrade`, or `DOWNGRADE_MAKER`.
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
 * How many agents may work at the same time, so that what is left of the budget covers all of them, each as dear as
 * `one`; at least 1. Some report what they used only when they have ended: then nothing else keeps them in it.
 */
export function coveredAtOnce(limits: Cost, spent: Cost, one: Pick<Cost, 'usd' | 'tokens'>): number {
  const left = budgetLeft(limits, spent);
  const fits = (['usd', 'tokens'] as const).map((by) =>
    one[by] <= 0 ? Number.POSITIVE_INFINITY : Math.floor((left[by] ?? Number.POSITIVE_INFINITY) / one[by]),
  );
  return Math.max(1, Math.min(...fits));
}
