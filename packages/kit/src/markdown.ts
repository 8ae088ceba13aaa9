import { onOneLine } from './text.ts';

/** Marks of an open Markdown fence ("```" or longer); `null`: none. */
export type OpenFence = string | null;

/** Returns the fence state after a line (CommonMark: at least as many of the same marks close a fence). */
export function fenceAfter(open: OpenFence, line: string): OpenFence {
  const match = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
  const marks = match?.[1];
  if (marks === undefined) return open;
  const rest = match?.[2] ?? '';
  if (open === null) return marks.startsWith('`') && rest.includes('`') ? null : marks;
  const closes = marks[0] === open[0] && marks.length >= open.length && rest.trim() === '';
  return closes ? null : open;
}

/** Returns a code block whose fence is longer than any in the text. */
export function fenced(text: string, info = ''): string {
  const marks = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${marks}${info}\n${text.replace(/\n+$/, '')}\n${marks}`;
}

/** Returns inline code on one line, whatever backticks the text has. */
export function inlineCode(text: string): string {
  const flat = text.replace(/\s*[\r\n]+\s*/g, ' ').trim();
  const marks = '`'.repeat(longestRun(flat) + 1);
  const pad = flat === '' || flat.startsWith('`') || flat.endsWith('`') ? ' ' : '';
  return `${marks}${pad}${flat}${pad}${marks}`;
}

/** Escapes a text for one line, so that others' words can't become links, mentions or table cells. */
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

/** Cuts to `limit` UTF-16 units with a note, at a line if possible, and closes fences so that no text is swallowed. */
export function cutMarkdown(text: string, limit: number): string {
  const whole = cutLines(text, Number.POSITIVE_INFINITY);
  if (whole.length <= limit) return whole;
  if (limit <= CUT.length + 1) return CUT.slice(0, Math.max(0, limit));
  const kept = cutLines(text, limit - CUT.length - 1);
  return kept === '' ? CUT : `${kept}\n${CUT}`;
}

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

/** Returns the last `limit` characters, from a line's start if near, with a note on the missing part. */
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
