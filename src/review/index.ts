export { actionPaths, describeAction, liveLine } from './describe-action.ts';
export { explain, reviewAction } from './explain.ts';
export { madeAfter } from './made.ts';
export { isFileOperation } from './operations.ts';
export type { Opinion, Rule, RuleFacts, Subject } from './rule.ts';
export { RULES } from './rules/index.ts';
export { type RuleChoice, type SelectedRules, selectRules } from './select-rules.ts';
export { openWrites } from './writes.ts';
