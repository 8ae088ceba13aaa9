export {
  absentTests,
  compareResults,
  coverageOf,
  failingBefore,
  lostTests,
  ranNoTests,
  switchedOff,
  testsOf,
} from './compare.ts';
export { notGreen, outcomeBy } from './not-green.ts';
export { type GateOutput, readResults } from './read-results.ts';
