/** Words that say nothing about what a sentence is about. */
const EMPTY = new Set(
  'a an the of to in on at by for from with without and or but if then else when while as is are was were be been it its this that these those there here not no can could may might must should will would do does did has have had so than too very also into over under about which who what where how why you we they i he she'.split(
    ' ',
  ),
);

/** The words that a sentence is about, without their endings. */
export function keyWords(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return new Set(words.filter((word) => !EMPTY.has(word)).map(stem));
}

function stem(word: string): string {
  return word.length <= 4 ? word : word.replace(/(?:ations?|ing|ed|es|e|s|ly|ment)$/, '');
}

/** Which part of the words of the shorter text the other one has too, from 0 to 1. */
export function sameShare(one: string, other: string): number {
  const [a, b] = [keyWords(one), keyWords(other)];
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  if (small.size === 0) return 0;
  return [...small].filter((word) => large.has(word)).length / small.size;
}

type Placed = { readonly file: string; readonly category: string; readonly claim: string };

/** Words that two claims of one file share for them to be the same finding. */
const SAME_FINDING = 0.6;

/** Whether two reviews speak of the same thing, in whatever words. */
export function isSameFinding(one: Placed, other: Placed): boolean {
  return one.file === other.file && sameShare(one.claim, other.claim) >= SAME_FINDING;
}
