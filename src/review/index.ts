export { actionPaths, describeAction, liveLine } from './describe-action.ts';
export { reviewAction } from './policy.ts';
export { isFileOperation, restrictedRuling } from './restricted.ts';
