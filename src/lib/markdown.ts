import { onOneLine } from './text.ts';

/** A fence that is open after some lines of Markdown (its marks, "```" or longer), `null` when none is. */
export type OpenFence = string | null;

/** The fence state after one more line (CommonMark: a fence is closed by at least as many of the same marks). */
export function fenceAfter(open: OpenFence, line: string): OpenFence {
  const match = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
  const marks = match?.[1];
  if (marks === undefined) return open;
  const rest = match?.[2] ?? '';
  if (open === null) return marks.startsWith('`') && rest.includes('`') ? null : marks;
  const closes = marks[0] === open[0] && marks.length >= open.length && rest.trim() === '';
  return closes ? null : open;
}

/** A code block around text that may hold fences itself: its own fence is longer than any run in the text. */
export function fenced(text: string, info = ''): string {
  const marks = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${marks}${info}\n${text.replace(/\n+$/, '')}\n${marks}`;
}

/** Text as inline code on one line, whatever backticks it holds. */
export function inlineCode(text: string): string {
  const flat = text.replace(/\s*[\r\n]+\s*/g, ' ').trim();
  const marks = '`'.repeat(longestRun(flat) + 1);
  const pad = flat === '' || flat.startsWith('`') || flat.endsWith('`') ? ' ' : '';
  return `${marks}${pad}${flat}${pad}${marks}`;
}

/** Text on one line that is no markup: what others say can't become a link, a mention or a table's cell. */
export function plainMarkdown(text: string): string {
  return onOneLine(text)
    .replace(/[\\`*_{}[\]<>|#~]/g, (mark) => (/[<>]/.test(mark) ? `&#${mark.charCodeAt(0)};` : `\\${mark}`))
    .replace(/@(?=\w)/g, '&#64;')
    .replace(/:(?=\/\/)/g, '&#58;')
    .replace(/\bwww\./gi, 'www&#46;');
}

export function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item.trim().replace(/\r?\n/g, '\n  ')}`).join('\n');
}

const CUT = '(cut here: the rest was left out)';

/**
 * Markdown of at most `limit` characters (UTF-16 units) in which no fence stays open, so that what follows it in a
 * prompt is not swallowed. Cut at a line where possible, and the cut is said.
 */
export function cutMarkdown(text: string, limit: number): string {
  const whole = cutLines(text, Number.POSITIVE_INFINITY);
  if (whole.length <= limit) return whole;
  if (limit <= CUT.length + 1) return CUT.slice(0, Math.max(0, limit));
  const kept = cutLines(text, limit - CUT.length - 1);
  return kept === '' ? CUT : `${kept}\n${CUT}`;
}

/** As many whole lines as fitWidth, with the fence closed that they leave open. */
function cutLines(text: string, room: number): string {
  const kept: string[] = [];
  let length = -1;
  let open: OpenFence = null;
  for (const line of text.split('\n')) {
    const next = fenceAfter(open, line);
    const closer = next === null ? 0 : next.length + 1;
    if (length + 1 + line.length + closer > room) {
      const first = kept.length === 0 && next === null;
      if (first) kept.push(line.slice(0, room));
      break;
    }
    kept.push(line);
    length += 1 + line.length;
    open = next;
  }
  if (open !== null) kept.push(open);
  return kept.join('\n');
}

/** The last `limit` characters of a text, from the start of a line where one is near; what is missing is said. */
export function tailOf(text: string, limit: number): string {
  const trimmed = text.trimEnd();
  if (trimmed.length <= limit) return trimmed;
  const end = trimmed.slice(trimmed.length - limit);
  const lineStart = end.indexOf('\n') + 1;
  const kept = lineStart > 0 && lineStart < end.length / 2 ? end.slice(lineStart) : end;
  return `(${trimmed.length - kept.length} characters before this left out)\n${kept}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
