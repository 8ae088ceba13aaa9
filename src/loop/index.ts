export type { ReviewSetup } from './context.ts';
export { loadTasks, overlaid, problemsOf, waitingEdits } from './load-tasks.ts';
export { rollBack } from './perform/roll-back.ts';
export { budgetLimits, policyFacts } from './policy-facts.ts';
export { reconcileTracker } from './reconcile-tracker.ts';
export { runGates } from './run-gates.ts';
export { runLoop } from './run-loop.ts';
export { acceptByYou, settleMarks } from './settle-marks.ts';
export { incidentRefusal, stopRefusal } from './start-run.ts';
