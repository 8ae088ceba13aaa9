import { ModelUsage } from 'ralph-agents/event';
import * as z from 'zod/mini';
import { emptyOf } from './empty-of.ts';

/** `[budget.prices.MODEL]`: US dollars per million tokens. */
export const Price = z.strictObject({
  input: z.number().check(z.nonnegative()),
  output: z.number().check(z.nonnegative()),
  /** Price of tokens that are read from a cache; absent: as `input`. */
  cache_read: z.optional(z.number().check(z.nonnegative())),
  /** Price of tokens that are written to a cache; absent: as `input`. */
  cache_write: z.optional(z.number().check(z.nonnegative())),
});
export type Price = z.infer<typeof Price>;

export const Spend = z.object({
  ...ModelUsage.shape,
  /** Whether `costUsd` was calculated with your prices, because the agent reported no cost. */
  estimated: z.boolean(),
});
export type Spend = z.infer<typeof Spend>;

/** Usage of agents. Reported money and money by your prices are never added up. */
export const Spent = z.object({
  tokens: z.number(),
  /** US dollars reported by agents. */
  costUsd: z.number(),
  /** US dollars calculated with your prices. */
  estimatedUsd: z.number(),
});
export type Spent = z.infer<typeof Spent>;

export const NOTHING_SPENT = emptyOf(Spent);

export const SpendCell = z.object({
  agent: z.string(),
  model: z.nullable(z.string()),
  ...Spent.shape,
});
export type SpendCell = z.infer<typeof SpendCell>;

export const AttemptSpend = z.object({
  run: z.string(),
  iteration: z.number(),
  taskId: z.string(),
  agent: z.string(),
  model: z.nullable(z.string()),
  sessionId: z.nullable(z.string()),
  ...Spent.shape,
});

/** Returns usage in the units of a budget, which counts money by your prices like reported money. */
export function costOf({ tokens, costUsd, estimatedUsd }: Spent): {
  readonly tokens: number;
  readonly usd: number;
} {
  return { tokens, usd: costUsd + estimatedUsd };
}

/** Returns the usage of an attempt's maker, of its roles and of its prover together. */
export function allSpend({
  spend,
  workflow,
  prover,
}: {
  readonly spend: readonly Spend[];
  readonly workflow: { readonly spend: readonly { readonly spend: readonly Spend[] }[] } | null;
  readonly prover: { readonly spend: readonly Spend[] } | null;
}): Spend[] {
  return [...spend, ...(workflow?.spend.flatMap((one) => one.spend) ?? []), ...(prover?.spend ?? [])];
}

export function addSpent(a: Spent, b: Spent): Spent {
  return {
    tokens: a.tokens + b.tokens,
    costUsd: a.costUsd + b.costUsd,
    estimatedUsd: a.estimatedUsd + b.estimatedUsd,
  };
}

export function spentOf(spend: readonly Spend[]): Spent {
  return spend.reduce((sum, { inputTokens, outputTokens, costUsd, estimated }) => {
    const cost = costUsd ?? 0;
    return addSpent(sum, {
      tokens: inputTokens + outputTokens,
      costUsd: estimated ? 0 : cost,
      estimatedUsd: estimated ? cost : 0,
    });
  }, NOTHING_SPENT);
}
