/** What gates report of their tests. */
export {
  absentTests,
  compareResults,
  coverageOf,
  failingBefore,
  lostTests,
  switchedOff,
  testsOf,
} from './compare.ts';
export { type GateOutput, readResults } from './read-results.ts';
