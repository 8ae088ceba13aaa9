/** A file of a folder that is a task list; `name` is relative to that folder. */
export type ListFile = { readonly name: string; readonly text: string };

/** No file that is a text holds it. */
const MARK = '\u0000';

/** One text of the files of a folder, so that a folder is read and marked as a file is. */
export function joinFiles(files: readonly ListFile[]): string {
  return files.map(({ name, text }) => `${MARK}${name}\n${text}`).join('');
}

/** The files again, each with the offset of its text; one without a name where it is the text of a file alone. */
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
