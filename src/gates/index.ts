export { aggregateGates, failingTails, missingTools } from './aggregate-gates.ts';
export { heldGates, needsBaseline, nextBaseline } from './baseline.ts';
export { planGates } from './plan-gates.ts';
