import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

/**
 * Latin letters, dashes, quotation marks, arrows, lines of boxes and the marks of our screens: each takes one column. To look
 * such a text up costs a command 20 ms, as tables of all emoji are read for it.
 */
const ONE_EACH =
  /^[ -~\u00a0-\u00ac\u00ae-\u024f\u2010-\u2027\u2190-\u2193\u2500-\u257f\u25a0\u25cf\u2713-\u2718]*$/;

/** Columns that one line of text takes on a terminal; control characters and colours take none. */
export function displayWidth(text: string): number {
  return ONE_EACH.test(text) ? text.length : stringWidth(text);
}

/** A line in pieces that take at most so many columns each; every character of it is in one of them. */
export function columnsOf(text: string, width: number): string[] {
  return wrapAnsi(text, Math.max(1, width), { hard: true, trim: false, wordWrap: false }).split('\n');
}

/** The same, broken between words where it can be; what is longer than that is broken anywhere. */
export function wordColumnsOf(text: string, width: number): string[] {
  // Blanks at the beginning stay, and no others do at the end of a line.
  const held = text.trimEnd().replace(/^ +/, (blanks) => HELD.repeat(blanks.length));
  return back(wrapAnsi(held, Math.max(1, width), { hard: true })).split('\n');
}

/** The text itself where it fits into that many columns, else its beginning and `…`. */
export function fitWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  if (width < 1) return '';
  const [first = ''] = columnsOf(text, width - 1);
  return displayWidth(first) < width ? `${first}…` : '…';
}

/**
 * `text` behind `lead` as lines of at most `width` columns, all but the first behind `indent`. No word is broken, and
 * a number stays with its unit.
 */
export function hanging(
  text: string,
  width: number,
  lead = '',
  indent = ' '.repeat(displayWidth(lead)),
): string {
  const [first, room] = [width - displayWidth(lead), width - displayWidth(indent)];
  // Most lines fit as they are, and taking them apart costs most of a long report's time.
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

/** A blank that is none for wrap-ansi: it takes a column and is no white space. */
const HELD = '\u2800';
const BEFORE_UNIT = /(?<=\d) (?=(?:ms|s|min|h|days?|%|kB|MB|GB|MiB)(?![\w-]))/g;

/** One blank between two words, and none that breaks between a number and its unit. */
function wordsOf(text: string): string {
  return text.replace(/\s+/g, ' ').replace(BEFORE_UNIT, HELD);
}

function back(text: string): string {
  return text.replaceAll(HELD, ' ');
}
