export { type Attempt, ignoredPaths, outputsIn, type Reason, reasonsAgainstCompletion } from './attempt.ts';
export { detectFindings, type StreamIssue, streamIssues } from './detect-findings.ts';
export type { Detector } from './detector.ts';
export { growthOf } from './detectors/growth.ts';
export { eventsFor } from './events-for.ts';
export { type Observer, openObserver } from './observer.ts';
export { DETECTORS } from './registry.ts';
export { idleChanges } from './substance.ts';
export {
  describeGates,
  type VerdictInput,
  verdictsOfGates,
  verdictsOfWork,
} from './verdict/decide-verdict.ts';
export { decideByEnding, outsideVerdict } from './verdict/ending.ts';
