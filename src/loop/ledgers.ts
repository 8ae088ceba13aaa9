import { addCost, type Cost, NO_COST } from '../domain/policy.ts';

/** What the agents of an iteration used until now. */
type Used = { readonly used: () => Cost };

/** The budgets of iterations that run side by side, by the tasks that they are at. */
export type Ledgers = {
  /** @param reserved What the task will take by what is known of its level. */
  readonly add: (taskId: string, reserved: Cost, ledger: Used) => void;
  /** So many attempts at it were lost by their workers, and aren't on record yet: each takes what was reserved for one. */
  readonly lose: (taskId: string, count: number) => void;
  /** What its agents used is on record. */
  readonly settle: (taskId: string) => void;
  /** What was reserved for one attempt at it. */
  readonly reserved: (taskId: string) => Cost;
  /** What a task that is worked at takes: what was reserved for it, or what its agents used, if that is more; and what was lost. */
  readonly takes: (taskId: string) => Cost;
  /** What all but this one take. */
  readonly others: (taskId: string) => Cost;
};

/** Opens them for a run. */
export function openLedgers(): Ledgers {
  const open = new Map<string, { readonly reserved: Cost; readonly ledger: Used; readonly lost: number }>();
  const reserved = (taskId: string): Cost => open.get(taskId)?.reserved ?? NO_COST;
  const takes = (taskId: string): Cost => {
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
    takes,
    others: (taskId) =>
      [...open.keys()]
        .filter((one) => one !== taskId)
        .reduce((sum, one) => addCost(sum, takes(one)), NO_COST),
  };
}
