export { aggregateGates } from './aggregate-gates.ts';
export { heldGates, needsBaseline, nextBaseline } from './baseline.ts';
export { failingTails } from './failing-tails.ts';
export { missingTools } from './missing-tools.ts';
export { planGates } from './plan-gates.ts';
