export { metCriteria, unmetAcceptance } from './acceptance.ts';
export { pathsOfInterest } from './paths-of-interest.ts';
export { readClaim } from './read-claim.ts';
export { validateEvidence } from './validate-evidence.ts';
