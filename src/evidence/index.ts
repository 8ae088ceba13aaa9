export { metCriteria, unmetAcceptance } from './check/acceptance.ts';
export { pathsOfInterest } from './check/paths-of-interest.ts';
export { validateEvidence } from './check/validate-evidence.ts';
export { readClaim } from './claim/read-claim.ts';
