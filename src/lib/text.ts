import stripAnsi from 'strip-ansi';

/** Window titles, links and the like without their end: a terminal would wait for it, so they end at their line. */
const UNFINISHED = new RegExp(
  ['(?:\\u001b[\\]PX^_k]', '[\\u0090\\u0098\\u009d-\\u009f])[^\\n]*'].join('|'),
  'g',
);

/** What joins and selects emoji, where it does that: between two of them, and behind one or a sign of a keycap. */
const IN_EMOJI = [
  '(?<=(?:\\p{Extended_Pictographic}\\ufe0f?|\\p{Emoji_Modifier}))\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=[\\p{Extended_Pictographic}0-9#*])[\\ufe0e\\ufe0f]',
].join('|');

/**
 * Control characters except line feed and tab, the marks that reorder text on the screen, and all else that can't be
 * seen: characters without width, selectors and joiners outside of emoji, fillers, and tags.
 */
export const UNSEEN = new RegExp(
  [
    '(?![\\n\\t])[\\p{Cc}\\p{Zl}\\p{Zp}]',
    `(?!${IN_EMOJI})\\p{Default_Ignorable_Code_Point}`,
    '[\\ufff9-\\ufffb]',
  ].join('|'),
  'gu',
);

/** The same text with a capital letter at its start. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** The same text to stand behind a colon: a name that is all in capitals or has an id in it stays as it is. */
export function uncapitalized(text: string): string {
  return /^[A-Z][a-z]*(?:'[a-z]+)? /.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
}

/** Text without terminal sequences: colours, cursor movements, titles and links. */
export function withoutEscapes(text: string): string {
  return stripAnsi(text).replace(UNFINISHED, '');
}

/**
 * Text that cannot act on a terminal: escape sequences, control characters other than line feed and tab, marks that
 * reverse the reading direction and characters that can't be seen are taken out. A carriage return becomes a line end.
 */
export function stripControl(text: string): string {
  // Most texts are plain, and looking is cheaper than replacing.
  if (PLAIN.test(text)) return text;
  return withoutEscapes(text).replace(/\r\n?/g, '\n').replace(UNSEEN, '');
}

const PLAIN = /^[\n\t -~]*$/;

/** A name on one line: line ends and tabs are shown as a program would write them. */
export function onOneLine(text: string): string {
  return stripControl(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** A path on one line, all of it: what can't be seen in it is shown as an escape, as two names may differ by that alone. */
export function pathText(path: string): string {
  return PLAIN_LINE.test(path) ? path : escapeUnseen(path).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

const PLAIN_LINE = /^[ -~]*$/;

/** The same text with escapes in the place of what can't be seen, line ends and tabs aside. */
export function escapeUnseen(text: string): string {
  return text.replace(UNSEEN, (found) =>
    [...Array(found.length).keys()]
      .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
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

/**
 * Exactly this text, and nothing in it that can't be seen: as a quoted string with escapes where something can't, else as
 * it is.
 */
export function visible(text: string): string {
  if (!text.includes('\n') && !text.includes('\t') && stripControl(text) === text) return text;
  return escapeUnseen(JSON.stringify(text));
}
