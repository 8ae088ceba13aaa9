import { displayWidth, fitWidth } from '../../lib/text.ts';

/**
 * Rows as aligned columns with two spaces between. Only the last column is cut, at the terminal's width: what is in
 * front of it identifies the row.
 */
export function table(rows: readonly (readonly string[])[], width: number): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, index) =>
    Math.max(0, ...rows.map((row) => displayWidth(row[index] ?? ''))),
  );
  const front = widths.slice(0, -1).reduce((sum, each) => sum + each + 2, 0);
  const room = Math.max(20, width - front);
  return rows
    .map((row) =>
      row
        .map((cell, index) => {
          if (index === columns - 1) return fitWidth(cell, room);
          return cell + ' '.repeat((widths[index] ?? 0) - displayWidth(cell));
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/**
 * Words broken into lines of at most `width` columns, all but the first indented.
 *
 * @param before columns of the first line that something in front of the text takes.
 */
export function wrap(text: string, width: number, indent: string, before = displayWidth(indent)): string {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(/\s+/)) {
      const next = line === '' ? word : `${line} ${word}`;
      const taken = lines.length === 0 ? before : displayWidth(indent);
      if (line !== '' && displayWidth(next) + taken > width) {
        lines.push(line);
        line = word;
      } else {
        line = next;
      }
    }
    lines.push(line);
  }
  return lines.join(`\n${indent}`);
}
