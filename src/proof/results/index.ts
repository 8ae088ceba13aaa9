export {
  absentTests,
  compareResults,
  coverageOf,
  failingBefore,
  lostTests,
  notGreen,
  outcomeBy,
  switchedOff,
  testsOf,
} from './compare.ts';
export { type GateOutput, readResults } from './read-results.ts';
