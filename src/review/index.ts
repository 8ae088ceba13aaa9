export { actionPaths, describeAction, liveLine } from './describe-action.ts';
export { explain, reviewAction } from './explain.ts';
export { madeAfter } from './made.ts';
export { isFileOperation } from './operations.ts';
export type { Rule } from './rule.ts';
export { openWrites } from './writes.ts';
