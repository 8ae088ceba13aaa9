export { aggregateGates, failingTails, missingTools } from './aggregate-gates.ts';
export { gatesForBaseline, nextBaseline, nowRed, uncheckedBy } from './baseline.ts';
export { blindedText, notShownText, type Opening, openedLine, openingFor, signInLine } from './blinded.ts';
export { planGates } from './plan-gates.ts';
export { installsFor, isLockFile, lockCommandFor, manifestsToInstall, setUpsFor } from './set-ups.ts';
export {
  foldersNamed,
  isGenerated,
  isProduction,
  mayRunInTests,
  ranTests,
  type TestedElsewhere,
  testedElsewhereText,
  unloadable,
} from './tested-code.ts';
