export { aggregateGates, failingTails, missingTools } from './aggregate-gates.ts';
export { heldGates, needsBaseline, nextBaseline } from './baseline.ts';
export { blindedText, openingFor } from './blinded.ts';
export { planGates } from './plan-gates.ts';
