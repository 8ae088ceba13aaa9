export { describeAction } from './describe-action.ts';
export { reviewAction } from './policy.ts';
export { actionKind, isReadOnly } from './tools.ts';
