/** Work that the review of an action may still do, in steps of a few microseconds: unlike time, they are reproducible. */
export type Budget = { left: number };

/** Steps for one review. Ordinary command lines take some hundred. */
const MOST_STEPS = 12_000;
/** Steps kept for judging, even when reading used all others. */
const FOR_JUDGING = 1000;

export function newBudget(): Budget {
  return { left: MOST_STEPS };
}

/** Returns whether enough steps were left. After `false` nothing more is read, and the action is denied. */
export function spend(budget: Budget, steps: number): boolean {
  budget.left -= steps;
  return !isSpent(budget);
}

export function isSpent(budget: Budget): boolean {
  return budget.left < 0;
}

/** Used for scripts that are nested too deep to follow. */
export function spendAll(budget: Budget): void {
  budget.left = -1;
}

/** Leaves steps for judging a denied action, as the reason should name its worst effect. */
export function keepForJudging(budget: Budget): void {
  budget.left = Math.max(budget.left, FOR_JUDGING);
}
