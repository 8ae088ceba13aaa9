/** A word of a text in lower case, and where the text has it. */
export type Word = { readonly text: string; readonly start: number; readonly end: number };

const LETTER_OR_DIGIT = /[\p{L}\p{N}\p{M}]/u;

/** Which of the first 128 characters stand in words. */
const IN_WORD: readonly boolean[] = Array.from({ length: 128 }, (_, unit) =>
  /\w/.test(String.fromCharCode(unit)),
);

/**
 * The words of a text: letters, digits and `_` in a row; "C++" and "C#" keep their marks. Read character by character:
 * an expression that knows all letters takes several times as long, and a long task file is read at every command.
 */
export function splitWords(text: string): Word[] {
  const words: Word[] = [];
  const lower = text.toLowerCase();
  // A few letters become two in lower case; then places in one text are not places in the other.
  const source = lower.length === text.length ? lower : text;
  const length = source.length;
  let index = 0;
  while (index < length) {
    while (index < length && !isInWord(source, index)) index += 1;
    const start = index;
    while (index < length && isInWord(source, index)) index += 1;
    if (index === start) break;
    index += markLength(source, index);
    const word = source.slice(start, index);
    words.push({ text: source === lower ? word : word.toLowerCase(), start, end: index });
  }
  return words;
}

/** Lower-case words alone. */
export function wordsOf(text: string): string[] {
  return splitWords(text).map((word) => word.text);
}

function isInWord(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  if (unit < 128) return IN_WORD[unit] === true;
  // Half of a character outside of the basic plane: letters are rare there.
  if (unit >= 0xd800 && unit <= 0xdfff) return false;
  return LETTER_OR_DIGIT.test(text.charAt(index));
}

function markLength(text: string, index: number): number {
  const next = text.charAt(index);
  if (next === '#') return 1;
  return next === '+' && text.charAt(index + 1) === '+' ? 2 : 0;
}
