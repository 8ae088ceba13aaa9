/**
 * What the review of an action may still take, from its text to the last rule, in steps of a few microseconds; not a
 * clock, so that the answer is always the same.
 */
export type Budget = { left: number };

/** Ordinary command lines take some hundred. */
const MOST_STEPS = 12_000;
/** For judging what was read, also where reading took all there was. */
const FOR_JUDGING = 1000;

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

/** Room to judge what is known of an action that is denied anyway: the reason should name the worst of it. */
export function keepForJudging(budget: Budget): void {
  budget.left = Math.max(budget.left, FOR_JUDGING);
}
