const WORD = /END_RALPH_STATUS|RALPH_STATUS|[\p{L}\p{N}_]+/giu;

/** In lower case, with the place where it stands. */
export type Word = {
  readonly text: string;
  readonly line: number;
  readonly from: number;
  readonly to: number;
};

/** The words of a text, without regard to what stands between them. */
export function wordsOf(lines: readonly string[]): Word[] {
  return lines.flatMap((text, line) =>
    // A line break or a quote within JSON isn't a letter of the word behind it.
    [...text.replace(/\\[nrt"]/g, '  ').matchAll(WORD)].map(({ 0: word, index }) => ({
      ...{ text: word.toLowerCase(), line, from: index, to: index + word.length },
    })),
  );
}

/** The words of a text in a row, for finding one text within another. */
export function wordsIn(text: string): string {
  return ` ${wordsOf([text])
    .map(({ text: word }) => word)
    .join(' ')} `;
}
