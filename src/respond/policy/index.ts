export { afterAttempt, type BreakStep, changeBetween, convergence, redAfterLanding } from './break.ts';
export {
  type BudgetStep,
  budgetLeft,
  budgetStep,
  cheaperModel,
  coveredAtOnce,
  DOWNGRADE_MAKER,
  isSpentWith,
  notCovered,
} from './budget.ts';
export { decidePolicy, type PolicyDecision, qualityScore } from './decide-policy.ts';
export { isTooLong, selectLessons, tracked } from './pollution.ts';
