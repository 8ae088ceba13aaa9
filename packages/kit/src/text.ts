import stripAnsi from 'strip-ansi';

/** Unfinished titles and links, for whose end a terminal would wait; they end at the line. */
const UNFINISHED = new RegExp(
  ['(?:\\u001b[\\]PX^_k]', '[\\u0090\\u0098\\u009d-\\u009f])[^\\n]*'].join('|'),
  'g',
);

/** Joiners and selectors within emoji and keycaps. */
const IN_EMOJI = [
  '(?<=(?:\\p{Extended_Pictographic}\\ufe0f?|\\p{Emoji_Modifier}))\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=[\\p{Extended_Pictographic}0-9#*])[\\ufe0e\\ufe0f]',
].join('|');

/** Control characters but line feed and tab, bidirectional marks, zero width and tags, selectors outside emoji. */
export const UNSEEN = new RegExp(
  [
    '(?![\\n\\t])[\\p{Cc}\\p{Zl}\\p{Zp}]',
    `(?!${IN_EMOJI})\\p{Default_Ignorable_Code_Point}`,
    '[\\ufff9-\\ufffb]',
  ].join('|'),
  'gu',
);

export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Lower-cases a text's first letter for use after a colon, unless it is an acronym or has an id. */
export function uncapitalized(text: string): string {
  return /^[A-Z][a-z]*(?:'[a-z]+)? /.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
}

/** Removes terminal sequences: colours, cursor movements, titles, links. */
export function withoutEscapes(text: string): string {
  return stripAnsi(text).replace(UNFINISHED, '');
}

/** Removes everything that acts on a terminal: escapes and `UNSEEN`. Carriage returns become line ends. */
export function stripControl(text: string): string {
  // Most texts are plain, and testing is cheaper than replacing.
  if (PLAIN.test(text)) return text;
  return withoutEscapes(text).replace(/\r\n?/g, '\n').replace(UNSEEN, '');
}

const PLAIN = /^[\n\t -~]*$/;

/** Returns a name on one line with `\n` and `\t` escaped. */
export function onOneLine(text: string): string {
  return stripControl(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** Returns a path on one line with invisible characters escaped, as two names may differ only in them. */
export function pathText(path: string): string {
  return PLAIN_LINE.test(path) ? path : escapeUnseen(path).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

const PLAIN_LINE = /^[ -~]*$/;

export function escapeUnseen(text: string): string {
  return text.replace(UNSEEN, (found) =>
    [...Array(found.length).keys()]
      .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Adds a full stop unless the text ends with a mark. */
export function asSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Returns the first items of a list as a text, such as `a, b, c and 3 more`. */
export function firstFew(items: readonly string[], most = 3): string {
  const shown = items.slice(0, most).join(', ');
  return items.length > most ? `${shown} and ${items.length - most} more` : shown;
}

/** Returns the names quoted and separated by commas: `"a", "b"`. */
export function quotedNames(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

/** Cuts a text to `longest` characters with an ellipsis, splitting no character. */
export function shortened(text: string, longest: number): string {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}

/** Returns the end with a note on the cut, from a line's start unless that loses more than half. */
export function tail(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const budget = Math.max(0, Math.floor(maxChars));
  const earliest = text.length - budget;
  const lineEnd = text.indexOf('\n', earliest - 1);
  let start = lineEnd < 0 || lineEnd + 1 - earliest > budget / 2 ? earliest : lineEnd + 1;
  // Half a surrogate pair isn't a character.
  if (/^[\udc00-\udfff]/.test(text.slice(start, start + 1))) start += 1;
  return `[… ${start} characters cut]\n${text.slice(start)}`;
}

const BLANKS = ' \t\r\n';

/** Trims ASCII blanks only, as names may end with a no-break or ideographic space. */
export function trimBlanks(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && BLANKS.includes(text.charAt(from))) from += 1;
  while (from < to && BLANKS.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/** Returns as many whole lines as fit into `most` characters. */
export function wholeLines(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, text.lastIndexOf('\n', most - 1) + 1);
}

/** Returns a text, quoted with escapes when it has invisible characters. */
export function visible(text: string): string {
  if (!text.includes('\n') && !text.includes('\t') && stripControl(text) === text) return text;
  return escapeUnseen(JSON.stringify(text));
}
