import { displayWidth, fitWidth, stripControl } from '../../lib/text.ts';

/**
 * Rows as aligned columns with two spaces between. Only the last column is cut, at the terminal's width: what is in
 * front of it identifies the row.
 */
export function table(rows: readonly (readonly string[])[], width: number): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, index) =>
    Math.max(0, ...rows.map((row) => seenWidth(row[index] ?? ''))),
  );
  const front = widths.slice(0, -1).reduce((sum, each) => sum + each + 2, 0);
  const room = Math.max(20, width - front);
  return rows
    .map((row) =>
      row
        .map((cell, index) => {
          if (index === columns - 1) return fitWidth(cell, room);
          return cell + ' '.repeat((widths[index] ?? 0) - seenWidth(cell));
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `text` behind `lead` as lines of at most `width` columns, all but the first behind `indent`. */
export function wrap(text: string, width: number, lead = '', indent = ' '.repeat(seenWidth(lead))): string {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(/\s+/)) {
      const next = line === '' ? word : `${line} ${word}`;
      const taken = seenWidth(lines.length === 0 ? lead : indent);
      if (line !== '' && seenWidth(next) + taken > width) {
        lines.push(line);
        line = word;
      } else {
        line = next;
      }
    }
    lines.push(line);
  }
  return lead + lines.join(`\n${indent}`);
}

/** Colours take no room. */
function seenWidth(text: string): number {
  return displayWidth(stripControl(text));
}
