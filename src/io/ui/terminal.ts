import { Chalk, type ChalkInstance } from 'chalk';
import { table, wrap } from './layout.ts';

/** Where the screen's text goes: its width and colours, and the one way to lay text out on it. */
export type Terminal = {
  /** You sit in front of it: spinner and redrawn lines are welcome. */
  readonly live: boolean;
  readonly style: ChalkInstance;
  /** Columns. */
  readonly width: number;
  /** `text` behind `lead`, broken at the width; further lines begin with `indent`, by default below the text. */
  readonly para: (text: string, lead?: string, indent?: string) => string;
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
  return terminalWith({ live, color, width: columns > 0 ? columns : DEFAULT_WIDTH });
}

/** A terminal of these properties. */
export function terminalWith(given: { live: boolean; color: boolean; width: number }): Terminal {
  const { live, color, width } = given;
  const style = new Chalk({ level: color ? 1 : 0 });
  return {
    live,
    style,
    width,
    para: (text, lead, indent) => wrap(text, width, lead, indent),
    table: (rows, head) => {
      if (head === undefined) return table(rows, width);
      const [first = '', ...others] = table([head, ...rows], width).split('\n');
      return [style.dim(first), ...others].join('\n');
    },
  };
}
