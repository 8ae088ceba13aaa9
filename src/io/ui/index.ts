export { runPrinter } from './run-printer.ts';
export { type Terminal, terminalOf } from './style.ts';
export { table, wrap } from './table.ts';
export { withLocalTimes } from './times.ts';
