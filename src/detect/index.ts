export type { Attempt } from './attempt.ts';
export { decideVerdict, type VerdictInput } from './decide-verdict.ts';
export { detectFindings } from './detect-findings.ts';
export type { Detector } from './detector.ts';
export { eventsFor } from './events-for.ts';
export { growthOf } from './growth.ts';
export { type Observer, openObserver } from './observer.ts';
export { DETECTORS } from './registry.ts';
export { streamIssues } from './stream-issues.ts';
