/** What a review may still take, in steps of a few microseconds; not a clock, so that the answer is always the same. */
export type Budget = { left: number };

/** Ordinary command lines take some hundred; this is reached in less than a tenth of a second. */
const MOST_STEPS = 20_000;

export function newBudget(): Budget {
  return { left: MOST_STEPS };
}

/** Whether there was enough left; without it nothing more is read, so that nothing is allowed from there on. */
export function spend(budget: Budget, steps: number): boolean {
  budget.left -= steps;
  return !isSpent(budget);
}

export function isSpent(budget: Budget): boolean {
  return budget.left < 0;
}

/** For what is nested too deep to follow. */
export function spendAll(budget: Budget): void {
  budget.left = -1;
}
