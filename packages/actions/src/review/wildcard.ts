/** Characters that are compared: `LONGEST_PATTERN` of a pattern, `LONGEST_TEXT` of a text. */
export const LONGEST_PATTERN = 200;
const LONGEST_TEXT = 16_384;

/** `PATTERN` is a pattern's cost in steps of the review's budget; one step pays for `COMPARISONS`. */
const PATTERN = 0.1;
const COMPARISONS = 2000;

/** Returns the highest cost of comparing texts with patterns. `characters` is the total length of the texts. */
export function wildcardSteps(characters: number, patterns: readonly string[]): number {
  const length = Math.min(characters, LONGEST_TEXT);
  // A piece with a `?` is tried at every position of the text.
  const each = patterns.map((one) => PATTERN + (length * (one.includes('?') ? one.length : 1)) / COMPARISONS);
  return each.reduce((sum, steps) => sum + steps, 0);
}

/**
 * Returns whether a text matches a pattern, in which `*` stands for any text, `?` for one character, and `|` separates alternatives. Takes
 * at most time proportional to text times pattern. Longer texts and patterns are cut.
 */
export function fitsWildcard(text: string, pattern: string): boolean {
  const shown = text.slice(0, LONGEST_TEXT);
  return pattern
    .slice(0, LONGEST_PATTERN)
    .split('|')
    .some((each) => fitsOne(shown, each));
}

/** Each piece between stars is matched as far left as possible, so no combination is tried twice. */
function fitsOne(text: string, pattern: string): boolean {
  const pieces = pattern.split('*');
  const [first = '', ...more] = pieces;
  if (more.length === 0) return text.length === first.length && isAt(text, first, 0);
  const last = more.pop() ?? '';
  if (!isAt(text, first, 0)) return false;
  let at = first.length;
  for (const piece of more) {
    const found = find(text, piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && isAt(text, last, text.length - last.length);
}

function find(text: string, piece: string, from: number): number {
  if (!piece.includes('?')) return text.indexOf(piece, from);
  for (let at = from; at + piece.length <= text.length; at += 1) if (isAt(text, piece, at)) return at;
  return -1;
}

function isAt(text: string, piece: string, at: number): boolean {
  if (at + piece.length > text.length) return false;
  for (let index = 0; index < piece.length; index += 1) {
    if (piece[index] !== '?' && piece[index] !== text[at + index]) return false;
  }
  return true;
}
