import { addCost, type Cost, NO_COST } from '../domain/policy.ts';

type Used = { readonly used: () => Cost };

export type Ledgers = {
  /**
   * Adds the budget of a task that starts.
   * @param reserved Expected cost of the task by its level.
   */
  readonly add: (taskId: string, reserved: Cost, ledger: Used) => void;
  /**
   * Sets the number of attempts that workers lost and that aren't on record yet. Each costs as much as was reserved for
   * one attempt.
   */
  readonly lose: (taskId: string, count: number) => void;
  readonly settle: (taskId: string) => void;
  /** Returns the cost reserved for one attempt at the task. */
  readonly reserved: (taskId: string) => Cost;
  /**
   * Returns the current cost of a running task: the reserved or used cost, whichever is larger, and its lost attempts.
   */
  readonly costOf: (taskId: string) => Cost;
  readonly costOfOthers: (taskId: string) => Cost;
};

export function openLedgers(): Ledgers {
  const open = new Map<string, { readonly reserved: Cost; readonly ledger: Used; readonly lost: number }>();
  const reserved = (taskId: string): Cost => open.get(taskId)?.reserved ?? NO_COST;
  const costOf = (taskId: string): Cost => {
    const one = open.get(taskId);
    if (one === undefined) return NO_COST;
    const used = one.ledger.used();
    return {
      ...one.reserved,
      usd: Math.max(one.reserved.usd, used.usd) + one.lost * one.reserved.usd,
      tokens: Math.max(one.reserved.tokens, used.tokens) + one.lost * one.reserved.tokens,
    };
  };
  return {
    add: (taskId, reserved, ledger) => void open.set(taskId, { reserved, ledger, lost: 0 }),
    lose: (taskId, lost) => {
      const one = open.get(taskId);
      if (one !== undefined) open.set(taskId, { ...one, lost });
    },
    reserved,
    settle: (taskId) => void open.delete(taskId),
    costOf,
    costOfOthers: (taskId) =>
      [...open.keys()]
        .filter((one) => one !== taskId)
        .reduce((sum, one) => addCost(sum, costOf(one)), NO_COST),
  };
}
