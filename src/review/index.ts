export { actionPaths } from './action-paths.ts';
export { describeAction } from './describe-action.ts';
export { reviewAction } from './policy.ts';
export { isFileOperation, restrictedRuling } from './restricted.ts';
export { actionKind, isReadOnly } from './tools.ts';
