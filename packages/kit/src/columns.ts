import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

/** Characters of one column: Latin, dashes, quotes, arrows, boxes, ralph's marks. Others need emoji tables (20 ms). */
const ONE_EACH =
  /^[ -~\u00a0-\u00ac\u00ae-\u024f\u2010-\u2027\u2190-\u2193\u2500-\u257f\u25a0\u25cf\u2713-\u2718]*$/;

/** Returns a line's columns on a terminal, without control characters and colours. */
export function displayWidth(text: string): number {
  return ONE_EACH.test(text) ? text.length : stringWidth(text);
}

/** Splits a line into pieces of at most `width` columns, keeping every character. */
export function columnsOf(text: string, width: number): string[] {
  return wrapAnsi(text, Math.max(1, width), { hard: true, trim: false, wordWrap: false }).split('\n');
}

/** Splits a line into pieces of at most `width` columns, between words where possible. */
export function wordColumnsOf(text: string, width: number): string[] {
  // Leading blanks are kept, trailing ones dropped.
  const held = text.trimEnd().replace(/^ +/, (blanks) => HELD.repeat(blanks.length));
  return back(wrapAnsi(held, Math.max(1, width), { hard: true })).split('\n');
}

/** Returns a text cut with `…` if it exceeds `width` columns. */
export function fitWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  if (width < 1) return '';
  const [first = ''] = columnsOf(text, width - 1);
  return displayWidth(first) < width ? `${first}…` : '…';
}

/** Indents further lines to the end of `lead`. Words stay whole, and numbers keep their units. */
export function hanging(
  text: string,
  width: number,
  lead = '',
  indent = ' '.repeat(displayWidth(lead)),
): string {
  const [first, room] = [width - displayWidth(lead), width - displayWidth(indent)];
  // Most lines fit; splitting them would dominate the time of a long report.
  if (!/\s\s|[^\S ]|^\s|\s$/.test(text) && displayWidth(text) <= first) return lead + text;
  const [begun = '', ...paragraphs] = text.split('\n').map(wordsOf);
  const [line = '', ...rest] = wordLines(begun, first);
  const further = rest.length === 0 ? [] : wordLines(rest.join(' '), room);
  const others = paragraphs.flatMap((paragraph) => wordLines(paragraph, room));
  return back(lead + [line, ...further, ...others].join(`\n${indent}`));
}

function wordLines(text: string, width: number): string[] {
  return wrapAnsi(text, Math.max(1, width)).split('\n');
}

/** A blank that isn't white space to wrap-ansi but takes a column. */
const HELD = '\u2800';
const BEFORE_UNIT = /(?<=\d) (?=(?:ms|s|min|h|days?|%|kB|MB|GB|MiB)(?![\w-]))/g;

/** Joins words by single blanks that don't break between a number and its unit. */
function wordsOf(text: string): string {
  return text.replace(/\s+/g, ' ').replace(BEFORE_UNIT, HELD);
}

function back(text: string): string {
  return text.replaceAll(HELD, ' ');
}
