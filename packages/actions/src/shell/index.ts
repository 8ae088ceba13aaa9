export { hasFlag, programName, splitArguments } from './arguments.ts';
export { type Budget, isSpent, keepForJudging, newBudget, spend, spendAll } from './budget.ts';
export type { CommandFiles } from './command-files.ts';
export { unescaped } from './escapes.ts';
export {
  DOWNLOADED_MARK,
  exactField,
  type Field,
  fieldText,
  HIDDEN_MARK,
  isMadeHere,
  isNamed,
  joinFields,
  joinWithSpaces,
  patternField,
  SECRET_MARK,
  shownField,
  UNKNOWN_MARK,
} from './field.ts';
export { findDeletes, foundNames } from './find.ts';
export type { Inner, Produced, Programs, Ran } from './inner.ts';
export { mktempNames } from './outputs.ts';
export { LONGEST_COMMAND, readScript } from './read-script.ts';
export { FED_FILE, shellCall } from './shells.ts';
export type { Container, SimpleCommand, UnreadText } from './simple-command.ts';
