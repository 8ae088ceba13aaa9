/** A file of a folder that is a task list. `name` is relative to that folder. */
export type ListFile = { readonly name: string; readonly text: string };

/** Character that separates the joined files. No text file contains it. */
const MARK = '\u0000';

/** Joins the files of a folder into one text, so that folders are read and marked like files. */
export function joinFiles(files: readonly ListFile[]): string {
  return files.map(({ name, text }) => `${MARK}${name}\n${text}`).join('');
}

/**
 * Splits a joined text into its files, each with the offset of its text. The text of a single file gets an empty name.
 */
export function splitFiles(joined: string): (ListFile & { readonly start: number })[] {
  if (!joined.startsWith(MARK)) return [{ name: '', text: joined, start: 0 }];
  let start = 0;
  return joined
    .split(MARK)
    .slice(1)
    .map((piece) => {
      const head = piece.indexOf('\n') + 1;
      const file = { name: piece.slice(0, head - 1), text: piece.slice(head), start: start + 1 + head };
      start += 1 + piece.length;
      return file;
    });
}
