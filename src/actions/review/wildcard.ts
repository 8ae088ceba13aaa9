/** Longest pattern and longest text that are compared, in characters. */
export const LONGEST_PATTERN = 200;
const LONGEST_TEXT = 16_384;

/** In steps: a pattern at all, and the comparisons that one of them stands for. */
const PATTERN = 0.1;
const COMPARISONS = 2000;

/** What it takes at most to compare texts of so many characters in all with patterns. */
export function wildcardSteps(characters: number, patterns: readonly string[]): number {
  const length = Math.min(characters, LONGEST_TEXT);
  // A piece with a `?` in it is tried at each place of the text.
  const each = patterns.map((one) => PATTERN + (length * (one.includes('?') ? one.length : 1)) / COMPARISONS);
  return each.reduce((sum, steps) => sum + steps, 0);
}

/**
 * Whether a text fits a pattern: `*` stands for any text, `?` for one character, `|` stands between alternatives. Takes
 * no longer than text times pattern, whatever they are; of a longer text the beginning is compared.
 */
export function fitsWildcard(text: string, pattern: string): boolean {
  const shown = text.slice(0, LONGEST_TEXT);
  return pattern
    .slice(0, LONGEST_PATTERN)
    .split('|')
    .some((each) => fitsOne(shown, each));
}

/** The pieces between the stars, each as far to the left as it goes: no way has to be tried twice. */
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
