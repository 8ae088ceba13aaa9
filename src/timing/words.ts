/** A word of a text in lower case, and its place in the text: `start` inclusive, `end` exclusive. */
export type Word = { readonly text: string; readonly start: number; readonly end: number };

/** Letters, digits and `_` in a row; "C++" and "C#" keep their marks. */
const WORD = /[\p{L}\p{N}\p{M}_]+(?:\+\+|#)?/gu;

/** The words of a text. */
export function splitWords(text: string): Word[] {
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({
    text: word.toLowerCase(),
    start: index,
    end: index + word.length,
  }));
}
