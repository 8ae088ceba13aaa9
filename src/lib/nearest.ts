/**
 * Fewest single-character edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`.
 * Works on UTF-16 units, which is enough for typed names.
 */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const replaced = (last[column - 1] ?? 0) + (same ? 0 : 1);
      const removed = (last[column] ?? 0) + 1;
      const added = (current[column - 1] ?? 0) + 1;
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
          ? (beforeLast[column - 2] ?? 0) + 1
          : Number.POSITIVE_INFINITY;
      current.push(Math.min(replaced, removed, added, swapped));
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}

/** Letter case and the choice of `-`, `_` or a space don't count as differences. */
function fold(word: string): string {
  return word.toLowerCase().replace(/[-\s]/g, '_');
}

/**
 * The candidate that was most likely meant by `word`; `null` when nothing is near. Near means at most one edit
 * for each three characters of the longer word (one for two-character words), or that the candidate begins with the
 * three or more characters typed. The first of equals wins.
 */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const typed = fold(word);
  // No one mistypes a name into hundreds of characters; the bound keeps a hostile input cheap.
  if (typed.length < 2 || typed.length > 100) return null;
  let best: string | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const name = fold(candidate);
    const allowed = Math.max(1, Math.floor(Math.max(typed.length, name.length) / 3));
    if (Math.abs(name.length - typed.length) > allowed) continue;
    const distance = editDistance(typed, name);
    if (distance <= allowed && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  if (best !== null || typed.length < 3) return best;
  return candidates.find((candidate) => fold(candidate).startsWith(typed)) ?? null;
}

/** The candidate that looks least different, however different that is; `null` where there is none. */
export function leastDifferent(word: string, candidates: readonly string[]): string | null {
  const typed = fold(word).slice(0, 100);
  const words = new Set(typed.split('_'));
  const difference = (candidate: string): number => {
    const name = fold(candidate);
    const shared = name
      .split('_')
      .filter((part) => words.has(part))
      .join('').length;
    return (editDistance(typed, name) - shared) / Math.max(typed.length, name.length);
  };
  return candidates.toSorted((a, b) => difference(a) - difference(b))[0] ?? null;
}

/** ` Did you mean X?`, to follow a sentence about an unknown name; empty when nothing is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const others = candidates.filter((candidate) => candidate !== word);
  const near = nearest(word, others);
  return near === null ? '' : ` Did you mean ${near}?`;
}
