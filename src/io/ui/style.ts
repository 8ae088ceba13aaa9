import { Chalk, type ChalkInstance } from 'chalk';

export type Terminal = {
  /** A person sits in front of it: spinner and redrawn lines are welcome. */
  readonly live: boolean;
  readonly style: ChalkInstance;
  /** Columns. */
  readonly width: number;
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
  return { live, style: new Chalk({ level: color ? 1 : 0 }), width: columns > 0 ? columns : DEFAULT_WIDTH };
}
