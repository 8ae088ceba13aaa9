/**
 * How alike two texts are, from 0 (nothing shared) to 1 (equal but for case, spacing and punctuation): the
 * Sørensen–Dice coefficient over pairs of neighbouring characters of their words.
 */
export function similarity(a: string, b: string): number {
  const left = wordsOf(a);
  const right = wordsOf(b);
  if (left === right) return 1;
  const pairs = pairsOf(left);
  const others = pairsOf(right);
  const total = size(pairs) + size(others);
  if (total === 0) return 0;
  let shared = 0;
  for (const [pair, count] of pairs) shared += Math.min(count, others.get(pair) ?? 0);
  return (2 * shared) / total;
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Pairs within words, each word padded so that its first and last letters count too. */
function pairsOf(words: string): Map<string, number> {
  const pairs = new Map<string, number>();
  if (words === '') return pairs;
  const padded = ` ${words} `;
  for (let index = 0; index + 1 < padded.length; index += 1) {
    const pair = padded.slice(index, index + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

function size(pairs: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const count of pairs.values()) total += count;
  return total;
}
