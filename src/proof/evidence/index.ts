export { pathsOfInterest, validateEvidence } from './check/validate-evidence.ts';
export { readClaim } from './claim/read-claim.ts';
export { criteriaOf, hasCriteria, pathsOfCriteria } from './criteria/criteria-of.ts';
