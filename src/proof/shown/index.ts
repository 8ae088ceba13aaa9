/** What shows that work is done, by running things. */

export { breakCode, differsInFunctions } from './break-code.ts';
export { isRedByCanary, makeCanary } from './canary/make-canary.ts';
export { neighbours } from './canary/neighbours.ts';
export { runnerOf } from './canary/runner-of.ts';
export { bentAgain, deadGates, decideProof } from './decide-proof.ts';
export { raisesRetries } from './green/retries.ts';
export { settingsOfBefore } from './green/settings-of-before.ts';
export { type Commands, saysWhatGatesDo, steeringIn } from './green/steering.ts';
export { inlineTests, withTestsOf } from './inline-tests.ts';
export { isReformatted } from './is-reformatted.ts';
export { canMutate, type Mutant, mutantsOf } from './mutants/mutants-of.ts';
export { countMutants, fateIn, survivorSigns, triedMutants } from './mutants/tried.ts';
export { readChecks, readRulings } from './prover/answer.ts';
export { checksOf, disputeOf, endedOn, proverAfter, toRuleOn } from './prover/decide-prover.ts';
export { droppedBecause, failureOf, problemOf } from './prover/keep-checks.ts';
export { proverPrompt, rulingPrompt } from './prover/prompt.ts';
export { type SplitChanges, splitChanges } from './split-changes.ts';
