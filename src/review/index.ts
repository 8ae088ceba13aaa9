export { actionPaths, describeAction, liveLine } from './describe-action.ts';
export { explain, reviewAction } from './explain.ts';
export { madeAfter } from './made.ts';
export { isFileOperation } from './operations.ts';
export { moduleRules, type OwnRules, tomlRules } from './own-rules.ts';
export type { Rule } from './rule.ts';
export { RULES } from './rules/index.ts';
export { selectRules } from './select-rules.ts';
export { openWrites } from './writes.ts';
