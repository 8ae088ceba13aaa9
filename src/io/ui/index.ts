export { agentLines, withoutStatusBlock } from './agent-words.ts';
export { openInEditor } from './editor.ts';
export { attemptText, gateText, preflightText, VERDICT_WORD } from './entry-text.ts';
export { clock, fitParts, leftText, type Part, short } from './live/live-text.ts';
export { showInPager } from './pager.ts';
export { budgetText, moneyText, spentParts, spentText } from './policy-text.ts';
export { printable } from './printable.ts';
export { reportMarkdown } from './report-markdown.ts';
export { runPrinter } from './run-printer.ts';
export {
  detailTexts,
  factsText,
  failingLines,
  falseClaimsText,
  itemLines,
  mutantsText,
  NOT_LISTED,
  nextLines,
  reportText,
  treeText,
} from './run-report.ts';
export { type Terminal, terminalOf, terminalWith } from './terminal.ts';
export { clockTime, clockTimeNow, dateTime, localTimeNow, withLocalTimes } from './times.ts';
