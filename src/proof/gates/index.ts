export { aggregateGates, failingTails, isFailing, missingTools } from './aggregate-gates.ts';
export { gatesForBaseline, nextBaseline, nowRed } from './baseline.ts';
export { blindedText, type Opening, openedLine, openingFor, signInLine } from './blinded.ts';
export { planGates } from './plan-gates.ts';
export { installsFor, isLockFile, lockCommandFor, manifestsToInstall, setUpsFor } from './set-ups.ts';
