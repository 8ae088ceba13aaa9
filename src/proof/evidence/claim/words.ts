const WORD = /END_RALPH_STATUS|RALPH_STATUS|[\p{L}\p{N}_]+/giu;

/** A word in lower case, with its place. */
export type Word = {
  readonly text: string;
  readonly line: number;
  readonly from: number;
  readonly to: number;
};

export function wordsOf(lines: readonly string[]): Word[] {
  return lines.flatMap((text, line) =>
    // An escaped line break or quote in JSON isn't part of the next word.
    [...text.replace(/\\[nrt"]/g, '  ').matchAll(WORD)].map(({ 0: word, index }) => ({
      text: word.toLowerCase(),
      line,
      from: index,
      to: index + word.length,
    })),
  );
}

/** Returns the words of a text joined by blanks, for finding one text within another. */
export function wordsIn(text: string): string {
  return ` ${wordsOf([text])
    .map(({ text: word }) => word)
    .join(' ')} `;
}
