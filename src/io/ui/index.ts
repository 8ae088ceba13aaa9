export { agentLines, lastLine, withoutStatusBlock } from './agent-words.ts';

export { linesText } from './lines.ts';
export { fitParts, type Part } from './live/live-text.ts';
export { printable } from './printable.ts';
export { reportMarkdown } from './report-markdown.ts';
export { runPrinter } from './run-printer.ts';
export { failingLines, itemLines, nextLines, reportText } from './run-report.ts';
export { type Terminal, terminalOf, terminalWith } from './terminal.ts';
export { openInEditor, showInPager } from './your-programs.ts';
