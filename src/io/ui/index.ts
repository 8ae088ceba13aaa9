export { preflightText } from './event-text.ts';
export { printable } from './printable.ts';
export { runPrinter } from './run-printer.ts';
export {
  deniedText,
  factsText,
  falseClaimsText,
  headline,
  perTaskText,
  reportText,
  treeText,
  usedText,
  yoursText,
} from './run-report.ts';
export { type Terminal, terminalOf } from './terminal.ts';
export { dateTime, withLocalTimes } from './times.ts';
