export { afterAttempt, type BreakStep } from './break.ts';
export {
  BUDGET_STEPS,
  type BudgetStep,
  budgetLeft,
  budgetStep,
  cheaperModel,
  coveredAtOnce,
  DOWNGRADE_MAKER,
  hasBudget,
  isSpentWith,
  notCovered,
  spentUntil,
} from './budget.ts';
export { checkpointDue, isDegrading, qualityScore } from './checkpoint.ts';
export { controlCenter } from './control-center.ts';
export { changeBetween, convergence } from './cycles.ts';
export { decidePolicy, type PolicyDecision } from './decide-policy.ts';
export { isTooLong, selectLessons, tracked } from './pollution.ts';
