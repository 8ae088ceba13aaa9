import { type ModelUsage, tokensOf } from '../../domain/agent.ts';
import { addCost, type Cost, NO_COST, type PolicyState } from '../../domain/records/policy.ts';
import { type Price, spentOf } from '../../domain/records/spend.ts';
import { spendOf } from '../../measure/index.ts';

type CutOff = {
  /** What its output reports. */
  readonly usage: readonly ModelUsage[];
  /** The agent printed something: it did begin. */
  readonly began: boolean;
  readonly prices: Readonly<Record<string, Price>>;
  readonly known: Pick<PolicyState, 'tasks' | 'levels'>;
  /** Milliseconds since its start, and those that it was allowed. */
  readonly elapsedMs: number;
  readonly timeoutMs: number;
};

/**
 * What an attempt is charged with whose end wasn't seen: what it reported, else the mean of all attempts so far; never
 * too little, so that no budget grows by killing runs.
 */
export function costOfCutOff({ usage, began, prices, known, elapsedMs, timeoutMs }: CutOff): Cost {
  const ms = Math.max(0, Math.min(elapsedMs, timeoutMs));
  const nothing = { ...NO_COST, iterations: 1, ms };
  if (!began) return nothing;
  if (tokensOf(usage) > 0) {
    const { tokens, costUsd, estimatedUsd } = spentOf(spendOf([...usage], prices));
    return { ...nothing, tokens, usd: costUsd + estimatedUsd };
  }
  const costs = [...Object.values(known.tasks), ...Object.values(known.levels).map(({ cost }) => cost)];
  const { usd, tokens, iterations } = costs.reduce(addCost, NO_COST);
  if (iterations <= 0) return nothing;
  return { ...nothing, usd: usd / iterations, tokens: tokens / iterations };
}
