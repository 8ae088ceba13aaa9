export { hasFlag, programName, splitArguments } from './arguments.ts';
export { type Budget, isSpent, newBudget, spend, spendAll } from './budget.ts';
export { unescaped } from './escapes.ts';
export {
  exactField,
  type Field,
  fieldText,
  isMadeHere,
  joinFields,
  joinWithSpaces,
  patternField,
  shownField,
  UNKNOWN_MARK,
} from './field.ts';
export { findDeletes, foundNames } from './find.ts';
export type { Inner } from './inner.ts';
export { mktempNames } from './outputs.ts';
export { LONGEST_COMMAND, readScript } from './read-script.ts';
export { FED_FILE, shellCall } from './shells.ts';
export type { SimpleCommand } from './simple-command.ts';
