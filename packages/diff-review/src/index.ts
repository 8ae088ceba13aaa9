export { isTestOf, type TestFile } from './change.ts';
export { type Readable, readablePart } from './diff/readable.ts';
export { AVOIDANCE, type AvoidanceFinding } from './finding.ts';
export type { ReviewContext } from './rate-signals.ts';
export { type DiffInput, type DiffReview, reviewDiff } from './review-diff.ts';
