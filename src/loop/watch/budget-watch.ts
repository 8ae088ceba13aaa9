import type { AgentEvent, ModelUsage } from '../../domain/agent.ts';
import {
  type AttemptBudget,
  addCost,
  type Cost,
  type CostKind,
  NO_COST,
  spentText,
} from '../../domain/policy.ts';
import type { Clock, Halt } from '../../domain/ports.ts';
import { costOf, type Price, spentOf } from '../../domain/spend.ts';
import { spendOf } from '../../report/index.ts';
import { budgetLeft, isSpentWith } from '../../respond/policy/index.ts';
import { openHalt } from './halt.ts';

type BudgetWatch = {
  /** One event of the agent, with the usage of the attempt so far. */
  readonly onEvent: (event: AgentEvent, used: readonly ModelUsage[]) => void;
  /** Resolves when the budget is spent. */
  readonly halted: Promise<Halt>;
};

/** The budget while an iteration runs, whose agents spend it together. */
export type BudgetLedger = {
  /** What the agents of the iteration reported, and the time. */
  readonly used: () => Cost;
  /** Until now, with that. */
  readonly spent: () => Cost;
  /** What the dearest of them used. */
  readonly dearest: () => Pick<Cost, 'usd' | 'tokens'>;
  /** Why no other agent is started; `null`: there is something left. */
  readonly spentBecause: () => string | null;
  /** Ends an agent as soon as the budget is spent: by what all of them report while they work, and by the time. */
  readonly watch: (
    /** The agent has ended. */
    over: AbortSignal,
  ) => BudgetWatch;
};

type Account = { used: Pick<Cost, 'usd' | 'tokens'>; readonly end: (by: CostKind) => void };

/**
 * Opens the budget of an iteration.
 *
 * @param before What is spent without its own agents: on record, and by other workers.
 */
export function openLedger(
  { limits, before }: Pick<AttemptBudget, 'limits'> & { readonly before: () => Cost },
  prices: Readonly<Record<string, Price>>,
  clock: Clock,
): BudgetLedger {
  const began = clock.monotonicMs();
  const accounts: Account[] = [];
  const used = (): Cost => {
    const elapsed = { ...NO_COST, ms: clock.monotonicMs() - began };
    return accounts.reduce((sum, one) => addCost(sum, { ...NO_COST, ...one.used }), elapsed);
  };
  const spent = () => addCost(before(), used());
  const messageOf = (by: CostKind) => `the budget is spent: ${spentText(limits, spent(), by)}`;
  const crossed = () => isSpentWith(limits, before(), used());

  function watch(over: AbortSignal): BudgetWatch {
    const { halted, halt } = openHalt();
    let closed = false;
    const end = (by: CostKind) => {
      // Some agents report what they used with their closing report alone: then nothing is left to end.
      if (!closed && !over.aborted) halt({ why: 'budget_spent', message: messageOf(by) });
    };
    const account: Account = { used: { usd: 0, tokens: 0 }, end };
    accounts.push(account);
    const { ms: leftMs } = budgetLeft(limits, spent());
    if (leftMs !== null) void clock.sleep(leftMs, over).then(() => end('ms'));
    const already = crossed();
    if (already !== null) end(already);
    return {
      halted,
      onEvent: (event, usage) => {
        if (event.kind === 'result') closed = true;
        if (event.kind === 'tool_call') closed = false;
        if (event.kind !== 'usage') return;
        account.used = costOf(spentOf(spendOf([...usage], prices)));
        const by = crossed();
        if (by === null) return;
        void Promise.resolve().then(() => {
          for (const one of accounts) one.end(by);
        });
      },
    };
  }

  return {
    ...{ used, spent },
    dearest: () => ({
      usd: Math.max(0, ...accounts.map((one) => one.used.usd)),
      tokens: Math.max(0, ...accounts.map((one) => one.used.tokens)),
    }),
    spentBecause: () => {
      const by = crossed();
      return by === null ? null : messageOf(by);
    },
    watch,
  };
}
