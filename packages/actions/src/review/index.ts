export { askedChange } from './asked-change.ts';
export { type Assessment, assess, isAnalysed, withModule } from './assess.ts';
export { openCache, watchedPlace } from './cache.ts';
export { actionPaths, describeAction, liveLine } from './describe-action.ts';
export { explain, reviewAction } from './explain.ts';
export { forTask } from './for-task.ts';
export { type Goal, goalOf } from './goal.ts';
export { actionKey, NO_HISTORY, type ReviewHistory, withAction, withResult } from './judgement/history.ts';
export { KIND_RISK } from './judgement/risk.ts';
export { existingLeftovers, leftoversAfter, ownFilesAfter } from './made.ts';
export { isFileOperation } from './operations.ts';
export {
  type AskRules,
  type ModuleOpinions,
  moduleRules,
  type OwnRules,
  opinionsIn,
  plainSubject,
  type RuleAnswer,
  tomlRules,
} from './own-rules.ts';
export { gravity, outcomeOf, reviewRecord } from './record.ts';
export type { ModuleRule, Rule } from './rule.ts';
export { RULES } from './rules/index.ts';
export { selectRules } from './select-rules.ts';
export { openWrites } from './writes.ts';
