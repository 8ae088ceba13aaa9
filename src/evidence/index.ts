export { shownCriteria, unmetAcceptance } from './check/acceptance.ts';
export { pathsOfInterest } from './check/match-changes.ts';
export { validateEvidence } from './check/validate-evidence.ts';
export { readClaim } from './claim/read-claim.ts';
