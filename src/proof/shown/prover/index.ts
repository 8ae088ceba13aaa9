export { readChecks, readRulings } from './answer.ts';
export { checksOf, disputeOf, proverAfter, proverAgainst, toRuleOn } from './decide-prover.ts';
export { droppedBecause, failureOf, problemOf } from './keep-checks.ts';
export { proverPrompt, rulingPrompt } from './prompt.ts';
