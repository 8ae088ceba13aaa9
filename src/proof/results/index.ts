export {
  absentTests,
  compareResults,
  coverageOf,
  failingBefore,
  lostTests,
  switchedOff,
  testsOf,
} from './compare.ts';
export { notGreen, outcomeBy } from './not-green.ts';
export { type GateOutput, readResults } from './read-results.ts';
