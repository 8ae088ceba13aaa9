import { type ModelUsage, tokensOf } from 'ralph-agents/event';
import { addCost, type Cost, NO_COST, type PolicyState } from '../../domain/policy.ts';
import { costOf, type Price, spentOf } from '../../domain/spend.ts';
import { spendOf } from '../../domain/spend-of.ts';

type CutOff = {
  readonly agents: readonly {
    readonly usage: readonly ModelUsage[];
    /** Whether the agent began: it printed something. */
    readonly began: boolean;
  }[];
  readonly prices: Readonly<Record<string, Price>>;
  readonly known: Pick<PolicyState, 'tasks' | 'levels'>;
  /** Milliseconds since the attempt's start. `timeoutMs`: milliseconds that it was allowed. */
  readonly elapsedMs: number;
  readonly timeoutMs: number;
};

/**
 * Returns the cost of an attempt whose end wasn't seen: the reported cost, or the mean of all attempts for agents that
 * worked without a report. It is never too low, because killing runs must not enlarge a budget.
 */
export function costOfCutOff({ agents, prices, known, elapsedMs, timeoutMs }: CutOff): Cost {
  const ms = Math.max(0, Math.min(elapsedMs, timeoutMs));
  const usage = agents.flatMap((agent) => agent.usage);
  const shown = { ...NO_COST, iterations: 1, ms, ...costOf(spentOf(spendOf(usage, prices))) };
  if (agents.every((agent) => !agent.began || tokensOf(agent.usage) > 0)) return shown;
  const costs = [...Object.values(known.tasks), ...Object.values(known.levels).map(({ cost }) => cost)];
  const all = costs.reduce(addCost, NO_COST);
  if (all.iterations <= 0) return shown;
  return addCost(shown, {
    ...NO_COST,
    usd: all.usd / all.iterations,
    tokens: all.tokens / all.iterations,
  });
}
