export { attemptTimeout, previousTimeouts } from './attempt-timeout.ts';
export { classify, classifyByTable } from './classify.ts';
export type { AdaptiveTimeout } from './levels.ts';
export { levelsOf } from './levels.ts';
