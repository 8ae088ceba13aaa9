import { addCost, type Cost, NO_COST } from '../domain/policy.ts';

/** What the agents of an iteration used until now. */
type Used = { readonly used: () => Cost };

/** The budgets of iterations that run side by side, by the tasks that they are at. */
export type Ledgers = {
  /** @param reserved What the task will take by what is known of its level. */
  readonly add: (taskId: string, reserved: Cost, ledger: Used) => void;
  /** What its agents used is on record. */
  readonly settle: (taskId: string) => void;
  /** What a task that is worked at takes: what was reserved for it, or what its agents used, if that is more. */
  readonly takes: (taskId: string) => Cost;
  /** What all but this one take. */
  readonly others: (taskId: string) => Cost;
};

/** Opens them for a run. */
export function openLedgers(): Ledgers {
  const open = new Map<string, { readonly reserved: Cost; readonly ledger: Used }>();
  const takes = (taskId: string): Cost => {
    const one = open.get(taskId);
    if (one === undefined) return NO_COST;
    const used = one.ledger.used();
    return {
      ...one.reserved,
      usd: Math.max(one.reserved.usd, used.usd),
      tokens: Math.max(one.reserved.tokens, used.tokens),
    };
  };
  return {
    add: (taskId, reserved, ledger) => void open.set(taskId, { reserved, ledger }),
    settle: (taskId) => void open.delete(taskId),
    takes,
    others: (taskId) =>
      [...open.keys()]
        .filter((one) => one !== taskId)
        .reduce((sum, one) => addCost(sum, takes(one)), NO_COST),
  };
}
