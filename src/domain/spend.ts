import * as z from 'zod/mini';
import { ModelUsage } from './agent.ts';

/** `[budget.prices.MODEL]`: US dollars for a million tokens. */
export const Price = z.strictObject({
  input: z.number().check(z.nonnegative()),
  output: z.number().check(z.nonnegative()),
  /** Tokens from a cache and tokens written to one; as `input` where they aren't set. */
  cache_read: z.optional(z.number().check(z.nonnegative())),
  cache_write: z.optional(z.number().check(z.nonnegative())),
});
export type Price = z.infer<typeof Price>;

/** What an attempt used of one model. */
export const Spend = z.object({
  ...ModelUsage.shape,
  /** `costUsd` is worked out from your prices; the agent reported none. */
  estimated: z.boolean(),
});
export type Spend = z.infer<typeof Spend>;

/** Sums of what was used. Money that agents reported and money by your prices are never one number. */
export const Spent = z.object({
  tokens: z.number(),
  /** As agents reported it. */
  costUsd: z.number(),
  /** By your prices. */
  estimatedUsd: z.number(),
});
export type Spent = z.infer<typeof Spent>;

export const NOTHING_SPENT: Spent = { tokens: 0, costUsd: 0, estimatedUsd: 0 };

/** What all attempts at a task used of one agent and model. */
export const SpendCell = z.object({
  agent: z.string(),
  model: z.nullable(z.string()),
  ...Spent.shape,
});
export type SpendCell = z.infer<typeof SpendCell>;

/** Who made an attempt, with what, and what it used. */
export const AttemptSpend = z.object({
  run: z.string(),
  iteration: z.number(),
  taskId: z.string(),
  agent: z.string(),
  model: z.nullable(z.string()),
  sessionId: z.nullable(z.string()),
  ...Spent.shape,
});

/** In the budget's two kinds; money by your prices counts like money that agents report. */
export function costOf({ tokens, costUsd, estimatedUsd }: Spent): {
  readonly tokens: number;
  readonly usd: number;
} {
  return { tokens, usd: costUsd + estimatedUsd };
}

/** What an attempt used, and what the roles and the prover beside it did. */
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

/** The sums of some entries. */
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
