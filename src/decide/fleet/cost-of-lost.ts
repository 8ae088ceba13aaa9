import type { ModelUsage } from '../../domain/agent.ts';
import { type Cost, NO_COST, type PolicyState } from '../../domain/policy.ts';
import { costOf, type Price, spentOf } from '../../domain/spend.ts';
import { spendOf } from '../../report/index.ts';
import { costOfCutOff } from '../run/cost-of-cut-off.ts';

type Lost = {
  /** What the worker's record reports; `null`: none came. */
  readonly usage: readonly ModelUsage[] | null;
  /** What was reserved for the attempt when it started. */
  readonly reserved: Cost;
  readonly prices: Readonly<Record<string, Price>>;
  readonly known: Pick<PolicyState, 'tasks' | 'levels'>;
};

/**
 * What an attempt is charged with whose worker was lost: what its record reports, else what was reserved; where nothing was, the mean of all
 * attempts so far. The time and the iteration are those of the attempt that takes its place.
 */
export function costOfLost({ usage, reserved, prices, known }: Lost): Cost {
  if (usage !== null) return { ...NO_COST, ...costOf(spentOf(spendOf([...usage], prices))) };
  const { usd, tokens } = reserved;
  if (usd > 0 || tokens > 0) return { ...NO_COST, usd, tokens };
  const unseen = { agents: [{ usage: [], began: true }], elapsedMs: 0, timeoutMs: 0 };
  return { ...costOfCutOff({ ...unseen, prices, known }), iterations: 0 };
}
