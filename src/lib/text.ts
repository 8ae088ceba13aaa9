const ESCAPE = '\\u001b';
const C1 = '[\\u0080-\\u009f]';
/**
 * Terminal control sequences: strings such as window titles and links (OSC, DCS, APC; an unfinished one ends at its
 * line), then cursor and colour commands (CSI), then two-character escapes. Built from text, because the characters
 * themselves have no place in a source file.
 */
const SEQUENCES = new RegExp(
  [
    `(?:${ESCAPE}[\\]P^_X]|[\\u009d\\u0090\\u009e\\u009f\\u0098])[^\\u0007\\u009c\\u001b\\n]*(?:\\u0007|\\u009c|${ESCAPE}\\\\)?`,
    `(?:${ESCAPE}\\[|\\u009b)[0-?]*[ -/]*[@-~]?`,
    `${ESCAPE}[ -/]*[0-~]?`,
    C1,
  ].join('|'),
  'g',
);
/**
 * Control characters except line feed and tab, the marks that reorder text on the screen, and what can't be seen: the
 * two joiners outside of emoji, other characters without width, and tags.
 */
export const UNSEEN = new RegExp(
  [
    '(?![\\n\\t])[\\p{Cc}\\p{Zl}\\p{Zp}]',
    '[\\u00ad\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u200c\\u200e\\u200f\\u202a-\\u202e]',
    '[\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb]',
    '[\\u{e0000}-\\u{e0fff}]',
    '(?<!\\p{Extended_Pictographic}|\\ufe0f|[\\u{1f3fb}-\\u{1f3ff}])\\u200d',
  ].join('|'),
  'gu',
);

/**
 * Text that cannot act on a terminal: escape sequences, control characters other than line feed and tab, marks that
 * reverse the reading direction and characters that can't be seen are taken out. A carriage return becomes a line end.
 */
export function stripControl(text: string): string {
  // Most texts are plain, and looking is cheaper than replacing.
  if (PLAIN.test(text)) return text;
  return text.replace(SEQUENCES, '').replace(/\r\n?/g, '\n').replace(UNSEEN, '');
}

const PLAIN = /^[\n\t -~]*$/;

/** A name on one line: line ends and tabs are shown as a program would write them. */
export function onOneLine(text: string): string {
  return stripControl(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** With a full stop where it ends without a mark. */
export function asSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** The first few of a list: `a, b, c and 3 more`. */
export function firstFew(items: readonly string[], most = 3): string {
  const shown = items.slice(0, most).join(', ');
  return items.length > most ? `${shown} and ${items.length - most} more` : shown;
}

/** Names in a sentence: `"a", "b"`. */
export function quotedNames(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

/** A line in pieces that take at most so many columns each; every character of it is in one of them. */
export function columnsOf(text: string, width: number): string[] {
  const room = Math.max(1, width);
  if (NARROW.test(text)) return text.length <= room ? [text] : (text.match(pieceOf(room)) ?? []);
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const { segment } of graphemesOf(text)) {
    const next = graphemeWidth(segment);
    if (used + next > room && piece !== '') {
      pieces.push(piece);
      [piece, used] = ['', 0];
    }
    piece += segment;
    used += next;
  }
  return piece === '' && pieces.length > 0 ? pieces : [...pieces, piece];
}

/** The same, broken between words where it can be; what is longer than that is broken anywhere. */
export function wordColumnsOf(text: string, width: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const word of text.split(/(?<=\s)(?=\S)/)) {
    if (piece !== '' && displayWidth((piece + word).trimEnd()) > width) {
      pieces.push(piece.trimEnd());
      piece = '';
    }
    piece += word;
    if (displayWidth(piece.trimEnd()) <= width) continue;
    const parts = columnsOf(piece, width);
    pieces.push(...parts.slice(0, -1));
    piece = parts.at(-1) ?? '';
  }
  return [...pieces, piece.trimEnd()];
}

function pieceOf(length: number): RegExp {
  return new RegExp(`.{1,${length}}`, 'gs');
}

/** The beginning of a text that is too long, with an ellipsis: `longest` characters at most, none of them cut in two. */
export function shortened(text: string, longest: number): string {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}

/**
 * The end of a text, at most `maxChars` characters of it, below a line that says how much was cut. It begins at the
 * start of a line, unless that would give away more than half of what may be kept. A text that fits comes back as it
 * is.
 */
export function tail(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const budget = Math.max(0, Math.floor(maxChars));
  const earliest = text.length - budget;
  const lineEnd = text.indexOf('\n', earliest - 1);
  let start = lineEnd < 0 || lineEnd + 1 - earliest > budget / 2 ? earliest : lineEnd + 1;
  // Half a surrogate pair is not a character.
  if (/^[\udc00-\udfff]/.test(text.slice(start, start + 1))) start += 1;
  return `[… ${start} characters cut]\n${text.slice(start)}`;
}

/**
 * Latin letters and signs, dashes, quotation marks, lines of boxes, ticks and crosses: each is a character of its own
 * and takes one column.
 */
const NARROW = /^[ -~\u00a0-\u00ac\u00ae-\u02af\u2010-\u2027\u2500-\u257f\u2713-\u2718]*$/;
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]*$/u;
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u;
/** East Asian wide and full-width blocks (Unicode Standard Annex 11, W and F). */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u;

let segmenter: Intl.Segmenter | undefined;

/** Made when it is first needed: the segmenter's tables take longer to load than a short command to run. */
function graphemesOf(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

function graphemeWidth(grapheme: string): number {
  if (INVISIBLE.test(grapheme)) return 0;
  return EMOJI.test(grapheme) || WIDE.test(grapheme) ? 2 : 1;
}

/** Columns that one line of text takes on a terminal; control characters take none. */
export function displayWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemesOf(text)) width += graphemeWidth(segment);
  return width;
}

/** The text itself where it fits into that many columns, else its beginning and `…`. */
export function fitWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  if (width < 1) return '';
  let kept = '';
  let used = 0;
  for (const { segment } of graphemesOf(text)) {
    const next = used + graphemeWidth(segment);
    if (next > width - 1) break;
    kept += segment;
    used = next;
  }
  return `${kept}…`;
}

/**
 * Whether a text holds nothing any more of what was changed in it: none of the lines that the change brought is there.
 * `null`: that can't be told, as the change only took lines away.
 *
 * @param from The text without the change; '' where the file was new.
 */
export function hasLost(from: string, changed: string, now: string): boolean | null {
  const before = new Set(filledLines(from));
  const brought = filledLines(changed).filter((line) => !before.has(line));
  if (brought.length === 0) return null;
  const there = new Set(filledLines(now));
  return !brought.some((line) => there.has(line));
}

function filledLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const BLANKS = ' \t\r\n';

/** Without the blanks of ASCII at both ends: names may end with others, such as a no-break or an ideographic space. */
export function trimBlanks(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && BLANKS.includes(text.charAt(from))) from += 1;
  while (from < to && BLANKS.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/** As many whole lines of a text as fit into so many characters. */
export function wholeLines(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, text.lastIndexOf('\n', most - 1) + 1);
}
