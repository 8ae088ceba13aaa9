/** Words that don't show what a sentence is about. */
const EMPTY = new Set(
  'a an the of to in on at by for from with without and or but if then else when while as is are was were be been it its this that these those there here not no can could may might must should will would do does did has have had so than too very also into over under about which who what where how why you we they i he she'.split(
    ' ',
  ),
);

/** Returns a text's words without their endings. Words that don't show the subject are left out. */
export function keyWords(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return new Set(words.filter((word) => !EMPTY.has(word)).map(stem));
}

function stem(word: string): string {
  return word.length <= 4 ? word : word.replace(/(?:ations?|ing|ed|es|e|s|ly|ment)$/, '');
}

/** Returns the share, 0 to 1, of the shorter text's words that the other text has, too. */
export function sameShare(one: string, other: string): number {
  const [a, b] = [keyWords(one), keyWords(other)];
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  if (small.size === 0) return 0;
  return [...small].filter((word) => large.has(word)).length / small.size;
}

type Placed = { readonly file: string; readonly category: string; readonly claim: string };

/** Share of common words from which on two claims about one file are the same finding. */
const SAME_FINDING = 0.6;

export function isSameFinding(one: Placed, other: Placed): boolean {
  return one.file === other.file && sameShare(one.claim, other.claim) >= SAME_FINDING;
}
