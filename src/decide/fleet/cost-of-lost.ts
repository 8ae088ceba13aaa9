import type { ModelUsage } from 'ralph-agents/event';
import { type Cost, NO_COST, type PolicyState } from '../../domain/policy.ts';
import { costOf, type Price, spentOf } from '../../domain/spend.ts';
import { spendOf } from '../../domain/spend-of.ts';
import { costOfCutOff } from '../run/cost-of-cut-off.ts';

type Lost = {
  /** Usage in the worker's record; `null`: the record hasn't arrived. */
  readonly usage: readonly ModelUsage[] | null;
  readonly reserved: Cost;
  readonly prices: Readonly<Record<string, Price>>;
  readonly policy: Pick<PolicyState, 'tasks' | 'levels'>;
};

/**
 * Returns the money and tokens of an attempt whose worker was lost: as reported, otherwise as reserved, otherwise the
 * mean of all attempts. Time and iteration are 0, because the attempt that replaces it is charged for them.
 */
export function costOfLost({ usage, reserved, prices, policy }: Lost): Cost {
  if (usage !== null) return { ...NO_COST, ...costOf(spentOf(spendOf([...usage], prices))) };
  const { usd, tokens } = reserved;
  if (usd > 0 || tokens > 0) return { ...NO_COST, usd, tokens };
  const unseen = { agents: [{ usage: [], began: true }], elapsedMs: 0, timeoutMs: 0 };
  return { ...costOfCutOff({ ...unseen, prices, known: policy }), iterations: 0 };
}
