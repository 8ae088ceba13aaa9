import { Chalk, type ChalkInstance } from 'chalk';
import { columnsOf, displayWidth, hanging } from 'ralph-kit/columns';
import { stripControl } from 'ralph-kit/text';
import { isWithoutUnicode, writePlainSigns } from './plain-signs.ts';

/** The stream that text goes to, with its width and colours, and the functions that lay text out on it. */
export type Terminal = {
  /** Whether you sit in front of it, so that a spinner and redrawn lines are welcome. */
  readonly live: boolean;
  readonly style: ChalkInstance;
  /** Whether a file or a program reads the output: nothing is cut. */
  readonly piped: boolean;
  /** Columns: `width` when ralph started, the function the present number. */
  readonly width: number;
  readonly columns: () => number;
  /**
   * Returns `text` behind `lead`, wrapped at the width; further lines begin with `indent`, by default below
   * the text.
   */
  readonly para: (text: string, lead?: string, indent?: string) => string;
  /**
   * Returns a text whose long lines are wrapped between words, below their own beginning. Text for a file or
   * program isn't wrapped.
   */
  readonly fitted: (text: string) => string;
  /** Returns the whole line unchanged; what doesn't fit continues behind `indent` blanks. */
  readonly verbatim: (line: string, indent: number) => string;
  /**
   * Returns aligned columns below `head`, which is dimmed; on a narrow terminal the cells of a row stand
   * below one another. Text for a file or program isn't wrapped.
   */
  readonly table: (rows: readonly (readonly string[])[], head?: readonly string[]) => string;
};

/** Columns where the terminal's width is unknown. */
const DEFAULT_WIDTH = 80;

/**
 * Returns the terminal behind standard output. `NO_COLOR` and `FORCE_COLOR` are respected, `--no-color`
 * wins over both; on a terminal without Unicode all later output has plain signs.
 */
export function terminalOf(stream: NodeJS.WriteStream, noColor: boolean): Terminal {
  if (isWithoutUnicode(process.env)) writePlainSigns(stream);
  const columns = stream.columns ?? 0;
  // On a terminal without a known width redrawing a line would never end, so there is no live line.
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
  /** Whether a file or a program reads the output: nothing is cut. */
  readonly piped?: boolean;
};

/** Returns a terminal with these properties. */
export function terminalWith(given: Given): Terminal {
  const { live, color, width, piped = false } = given;
  const style = new Chalk({ level: color ? 1 : 0 });
  return {
    live,
    style,
    piped,
    width,
    columns: () => width,
    para: (text, lead, indent) => hanging(text, width, lead, indent),
    fitted: (text) => (piped ? text : fitLines(text, width)),
    verbatim: (line, indent) => verbatim(line, width, indent),
    table: (rows, head) => {
      const room = piped ? Number.POSITIVE_INFINITY : width;
      return table(rows, head?.map((name) => style.dim(name)) ?? null, room);
    },
  };
}

/** Returns the terminal with so many columns less, for lines that stand behind something. */
export function narrowed(terminal: Terminal, columns: number): Terminal {
  const { live, style, piped } = terminal;
  const width = Math.max(LEAST_ROOM, terminal.width - columns);
  return terminalWith({ live, color: style.level > 0, width, piped });
}

/** A last column narrower than this is hard to read: its rows are stacked instead. */
const LEAST_ROOM = 24;

/**
 * Returns rows as aligned columns with two spaces between. Where they are too wide, the last column is
 * wrapped between words; where that leaves it too little room, the cells of each row are stacked.
 */
function table(rows: readonly (readonly string[])[], head: readonly string[] | null, width: number): string {
  const all = head === null ? rows : [head, ...rows];
  const columns = Math.max(0, ...all.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, index) =>
    Math.max(0, ...all.map((row) => displayWidth(row[index] ?? ''))),
  );
  const front = widths.slice(0, -1).reduce((sum, each) => sum + each + 2, 0);
  const room = width - front;
  const words = all.flatMap((row) => (row[columns - 1] ?? '').split(/\s+/)).map(displayWidth);
  const needed = Math.min(Math.max(LEAST_ROOM, ...words), widths.at(-1) ?? 0);
  if (room < needed && front > 0) {
    return rows.map((row) => stacked(row, head, width)).join('\n');
  }
  const last = columns - 1;
  const lines = all.flatMap((row) => {
    const begin = widths
      .slice(0, last)
      .map((width, at) => (row[at] ?? '') + ' '.repeat(width + 2 - displayWidth(row[at] ?? '')))
      .join('');
    const [first = '', ...rest] = hanging(row[last] ?? '', room).split('\n');
    return [begin + first, ...rest.map((line) => ' '.repeat(front) + line)];
  });
  return lines.map((line) => line.trimEnd()).join('\n');
}

/**
 * Returns a row as lines below its first cell: each further cell behind its heading; without headings the
 * last one alone on a line.
 */
function stacked(row: readonly string[], head: readonly string[] | null, width: number): string {
  const indent = /^ */.exec(row[0] ?? '')?.[0] ?? '';
  if (head === null) {
    const front = row.slice(0, -1).filter((cell) => cell !== '');
    return [
      hanging(front.join(' ').trim(), width, indent),
      hanging(row.at(-1) ?? '', width, `${indent}    `),
    ].join('\n');
  }
  const [first = '', ...others] = row;
  const names = head.slice(1);
  const longest = Math.max(0, ...names.map(displayWidth));
  const lines = others.map((cell, index) => {
    const name = names[index] ?? '';
    return hanging(cell, width, `${indent}  ${name}${' '.repeat(longest - displayWidth(name))}  `);
  });
  return [first, ...lines].join('\n');
}

/** The beginning of a line whose wrapped text is aligned below itself: blanks, a mark or a number. */
const LINE_LEAD = /^\s*(?:[✔✖!●■→–•*-]\s+|\d+\.\s+)?/u;
/** A line with a command to copy, and what may stand in front of it. */
const COMMAND = /^\s*(?:[\w ]+: )?(?:ralph|git) [a-z]/;

function fitLines(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => {
      const seen = stripControl(line);
      if (displayWidth(seen) <= width || COMMAND.test(seen)) return line;
      const indent = ' '.repeat(displayWidth(LINE_LEAD.exec(seen)?.[0] ?? ''));
      const start = /^\s*/.exec(line)?.[0] ?? '';
      return hanging(line.slice(start.length), width, start, indent);
    })
    .join('\n');
}

function verbatim(line: string, width: number, indent: number): string {
  const [first = '', ...rest] = columnsOf(line, width);
  const others = columnsOf(rest.join(''), Math.max(indent, width - indent));
  return rest.length === 0 ? first : [first, ...others.map((piece) => ' '.repeat(indent) + piece)].join('\n');
}
