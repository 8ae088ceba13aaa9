import type { AgentEvent, ModelUsage } from 'ralph-agents/event';
import type { AgentEnd } from '../../domain/agent.ts';
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
import { spendOf } from '../../domain/spend-of.ts';
import { budgetLeft, isSpentWith } from '../../respond/policy/index.ts';
import { openHalt } from './halt.ts';

type BudgetWatch = {
  /** Receives each event of the agent, with the attempt's usage so far. */
  readonly onEvent: (event: AgentEvent, used: readonly ModelUsage[]) => void;
  /** Resolves when the budget is spent. */
  readonly halted: Promise<Halt>;
  /** Returns how the agent ended. A program that stopped itself at its cost limit was ended by the budget. */
  readonly endOf: (end: AgentEnd) => AgentEnd;
};

/** The budget during an iteration. All agents of the iteration share it. */
export type BudgetLedger = {
  /** Returns the cost of this iteration: usage reported by its agents, and its time. */
  readonly used: () => Cost;
  /** Returns all costs so far, with this iteration. */
  readonly spent: () => Cost;
  /** Returns the highest cost and the highest token count among the iteration's agents. */
  readonly mostExpensive: () => Pick<Cost, 'usd' | 'tokens'>;
  /** Returns US dollars that an agent may spend if it starts now; `null`: there is no limit, or nothing is left. */
  readonly leftUsd: () => number | null;
  /** Returns why no other agent may start; `null`: the budget isn't spent. */
  readonly spentBecause: () => string | null;
  /** Watches one agent, and ends it as soon as the budget is spent: by the reports of all agents, or by time. */
  readonly watch: (
    /** Fires when the agent has ended. */
    over: AbortSignal,
  ) => BudgetWatch;
};

type Account = { used: Pick<Cost, 'usd' | 'tokens'>; readonly end: (by: CostKind) => void };

/**
 * Opens the budget of an iteration.
 *
 * @param before Returns the costs without this iteration: those on record, and those of other workers.
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
    let [closed, hasEndedItself] = [false, false];
    const end = (by: CostKind) => {
      // Some agents report their usage only with their final report: then there is nothing left to end.
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
      endOf: (ended) =>
        hasEndedItself && ended.kind === 'exited' && limits.usd > 0
          ? { kind: 'halted', why: 'budget_spent', message: messageOf('usd') }
          : ended,
      onEvent: (event, usage) => {
        if (event.kind === 'error' && event.costLimit === true) hasEndedItself = true;
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
    used,
    spent,
    mostExpensive: () => ({
      usd: Math.max(0, ...accounts.map((one) => one.used.usd)),
      tokens: Math.max(0, ...accounts.map((one) => one.used.tokens)),
    }),
    // The amount is rounded up, so that an agent that stops there has spent all of it.
    leftUsd: () => {
      const { usd } = budgetLeft(limits, spent());
      return usd === null || usd === 0 ? null : Math.ceil(usd * 10_000) / 10_000;
    },
    spentBecause: () => {
      const by = crossed();
      return by === null ? null : messageOf(by);
    },
    watch,
  };
}
