export { agentLines } from './agent-words.ts';
export { preflightText, VERDICT_WORD } from './event-text.ts';
export { failingHead, failingLines } from './failing-lines.ts';
export { showInPager } from './pager.ts';
export { budgetText } from './policy-text.ts';
export { printable } from './printable.ts';
export { runPrinter } from './run-printer.ts';
export {
  commandsFor,
  deniedText,
  factsText,
  falseClaimsText,
  headline,
  mutantsText,
  perTaskText,
  refusedHostTexts,
  reportText,
  roleTexts,
  timeText,
  treeText,
  whyText,
} from './run-report.ts';
export { moneyText, spentParts, spentText } from './spent-text.ts';
export { withoutStatusBlock } from './status-block.ts';
export { type Terminal, terminalOf } from './terminal.ts';
export { clockTime, clockTimeNow, dateTime, localTimeNow, withLocalTimes } from './times.ts';
