import type { AgentEvent, ModelUsage } from '../../domain/agent.ts';
import { spentText } from '../../domain/policy/budget.ts';
import type { Clock, Halt } from '../../domain/ports.ts';
import type { AttemptBudget, CostKind } from '../../domain/records/policy.ts';
import { type Price, spentOf } from '../../domain/records/spend.ts';
import { spendOf } from '../../measure/index.ts';
import { budgetLeft, isSpentWith } from '../../policy/index.ts';
import { openHalt } from './halt.ts';

type BudgetWatch = {
  /** One event of the agent, with the usage of the attempt so far. */
  readonly onEvent: (event: AgentEvent, used: readonly ModelUsage[]) => void;
  /** Resolves when the budget is spent. */
  readonly halted: Promise<Halt>;
};

/** Ends an attempt as soon as the budget is spent: by what the agent reports while it works, and by the time. */
export function watchBudget(
  { limits, spent }: AttemptBudget,
  prices: Readonly<Record<string, Price>>,
  clock: Clock,
  /** The attempt is over. */
  over: AbortSignal,
): BudgetWatch {
  const { halted, halt } = openHalt();
  const began = clock.monotonicMs();
  let closed = false;
  const end = (by: CostKind, used: Partial<typeof spent>) => {
    const now = { ...spent, [by]: spent[by] + (used[by] ?? 0) };
    halt({ why: 'budget_spent', message: `the budget is spent: ${spentText(limits, now, by)}` });
  };
  const { ms: leftMs } = budgetLeft(limits, spent);
  if (leftMs !== null) {
    void clock.sleep(leftMs, over).then(() => {
      if (!over.aborted) end('ms', { ms: clock.monotonicMs() - began });
    });
  }
  return {
    halted,
    onEvent: (event, usage) => {
      if (event.kind === 'result') closed = true;
      if (event.kind === 'tool_call') closed = false;
      if (event.kind !== 'usage') return;
      const { tokens, costUsd, estimatedUsd } = spentOf(spendOf([...usage], prices));
      const used = { tokens, usd: costUsd + estimatedUsd };
      const by = isSpentWith(limits, spent, used);
      // Some agents report what they used with their closing report alone: then nothing is left to end.
      if (by !== null)
        void Promise.resolve().then(() => {
          if (!closed) end(by, used);
        });
    },
  };
}
