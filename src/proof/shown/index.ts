/** What shows that work is done, by running things. */

export { breakCode } from './break-code.ts';
export { canaryBeside, isRedByCanary, neighbours, runnerOf } from './canary/index.ts';
export { deadGates, decideProof, failsToLoad, isOfCleanCopy } from './decide-proof.ts';
export { inlineTests, withTestsOf } from './inline-tests.ts';
export { isReformatted } from './is-reformatted.ts';
export { countMutants, survivorSigns } from './mutants/mutant-signs.ts';
export { canMutate, type Mutant, mutantsOf } from './mutants/mutants-of.ts';
export * from './prover/index.ts';
export { splitChanges } from './split-changes.ts';
