/** What gates report of their tests. */
export { compareResults, coverageOf, failingBefore, switchedOff, testsOf } from './compare.ts';
export { type GateOutput, readResults } from './read-results.ts';
