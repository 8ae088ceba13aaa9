export { preflightText } from './event-text.ts';
export { printable } from './printable.ts';
export { runPrinter } from './run-printer.ts';
export { moneyText, spentText } from './spent-text.ts';
export { type Terminal, terminalOf } from './terminal.ts';
export { dateTime, withLocalTimes } from './times.ts';
