import { Chalk, type ChalkInstance } from 'chalk';
import { columnsOf, displayWidth, fitWidth, stripControl } from '../../lib/text.ts';

/** Where the screen's text goes: its width and colours, and the one way to lay text out on it. */
export type Terminal = {
  /** You sit in front of it: spinner and redrawn lines are welcome. */
  readonly live: boolean;
  readonly style: ChalkInstance;
  /** A file or a program reads it: nothing is cut. */
  readonly piped: boolean;
  /** Columns, as they were at the beginning; and as they are now. */
  readonly width: number;
  readonly columns: () => number;
  /** `text` behind `lead`, broken at the width; further lines begin with `indent`, by default below the text. */
  readonly para: (text: string, lead?: string, indent?: string) => string;
  /** `text` in that many columns, its end cut off where it is longer; what is piped is never cut. */
  readonly cut: (text: string, room: number) => string;
  /** Exactly this line, all of it: what does not fit continues behind `indent` blanks. */
  readonly verbatim: (line: string, indent: number) => string;
  /** Aligned columns; `head` comes first, dimmed. */
  readonly table: (rows: readonly (readonly string[])[], head?: readonly string[]) => string;
};

/** Columns where nothing is known of the terminal. */
const DEFAULT_WIDTH = 80;

/** What standard output is. `NO_COLOR` and `FORCE_COLOR` are respected, `--no-color` wins over both. */
export function terminalOf(stream: NodeJS.WriteStream, noColor: boolean): Terminal {
  const columns = stream.columns ?? 0;
  // A terminal that does not say how wide it is would make the redrawing of lines never end.
  const live =
    stream.isTTY === true && columns > 0 && process.env.CI === undefined && process.env.TERM !== 'dumb';
  const forced = process.env.FORCE_COLOR !== undefined && process.env.FORCE_COLOR !== '0';
  const denied = noColor || (process.env.NO_COLOR ?? '') !== '' || process.env.FORCE_COLOR === '0';
  const color = !denied && (forced || (stream.isTTY === true && process.env.TERM !== 'dumb'));
  const width = columns > 0 ? columns : DEFAULT_WIDTH;
  const piped = stream.isTTY !== true;
  return { ...terminalWith({ live, color, width, piped }), columns: () => stream.columns ?? width };
}

type Given = {
  readonly live: boolean;
  readonly color: boolean;
  readonly width: number;
  /** A file or a program reads it: nothing is cut. */
  readonly piped?: boolean;
};

/** A terminal of these properties. */
export function terminalWith(given: Given): Terminal {
  const { live, color, width, piped = false } = given;
  const style = new Chalk({ level: color ? 1 : 0 });
  return {
    ...{ live, style, piped, width },
    columns: () => width,
    para: (text, lead, indent) => wrap(text, width, lead, indent),
    cut: (text, room) => (piped ? text : fitWidth(text, room)),
    verbatim: (line, indent) => verbatim(line, width, indent),
    table: (rows, head) => {
      const room = piped ? Number.POSITIVE_INFINITY : width;
      if (head === undefined) return table(rows, room);
      const [first = '', ...others] = table([head, ...rows], room).split('\n');
      return [style.dim(first), ...others].join('\n');
    },
  };
}

/**
 * Rows as aligned columns with two spaces between. Only the last column is cut, at the terminal's width: what is in
 * front of it identifies the row.
 */
function table(rows: readonly (readonly string[])[], width: number): string {
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
function wrap(text: string, width: number, lead = '', given?: string): string {
  const leadWidth = seenWidth(lead);
  const indent = given ?? ' '.repeat(leadWidth);
  const [room, first] = [width - seenWidth(indent), width - leadWidth];
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    let taken = 0;
    for (const word of paragraph.split(/\s+/)) {
      const wordWidth = seenWidth(word);
      if (line !== '' && taken + 1 + wordWidth > (lines.length === 0 ? first : room)) {
        lines.push(line);
        [line, taken] = [word, wordWidth];
      } else {
        [line, taken] = line === '' ? [word, wordWidth] : [`${line} ${word}`, taken + 1 + wordWidth];
      }
    }
    lines.push(line);
  }
  return lead + lines.join(`\n${indent}`);
}

function verbatim(line: string, width: number, indent: number): string {
  const [first = '', ...rest] = columnsOf(line, width);
  const others = columnsOf(rest.join(''), Math.max(indent, width - indent));
  return rest.length === 0 ? first : [first, ...others.map((piece) => ' '.repeat(indent) + piece)].join('\n');
}

/** Colours take no room. */
function seenWidth(text: string): number {
  return displayWidth(stripControl(text));
}
