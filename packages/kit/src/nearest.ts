/** Returns the fewest edits (insert, delete, replace, swap), in UTF-16 units, which is enough for typed names. */
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

/** Case, the choice of `-`, `_` or a space, and the dashes before an option don't count. */
function fold(word: string): string {
  return word.toLowerCase().replace(/^-+/, '').replace(/[-\s]/g, '_');
}

/** Returns the first nearest candidate within one edit per three characters, or with this prefix of three or more. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const typed = fold(word);
  // No typing error makes hundreds of characters; the limit keeps hostile input cheap.
  if (typed.length < 2 || typed.length > 100) return null;
  let best: string | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const name = fold(candidate);
    const allowed = Math.max(1, Math.floor(Math.max(typed.length, name.length) / 3));
    if (Math.abs(name.length - typed.length) > allowed || isOtherNumber(typed, name)) continue;
    const distance = editDistance(typed, name);
    if (distance <= allowed && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  if (best !== null || typed.length < 3) return best;
  return candidates.find((candidate) => fold(candidate).startsWith(typed)) ?? null;
}

/** `T-9` isn't a typo of `T-1`; `T-11` may be one. */
function isOtherNumber(a: string, b: string): boolean {
  const digits = (word: string) => (word.match(/\d/g) ?? []).toSorted().join('');
  return a.length === b.length && a.replace(/\d/g, '0') === b.replace(/\d/g, '0') && digits(a) !== digits(b);
}

/** Returns the candidate that differs least, however much that is; `null`: there are none. */
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

/** Returns ` Did you mean X?`, or nothing when no name is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const others = candidates.filter((candidate) => candidate !== word);
  const near = nearest(word, others);
  return near === null ? '' : ` Did you mean ${near}?`;
}
