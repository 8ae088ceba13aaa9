import ora, { type Ora } from 'ora';
import { displayWidth } from 'ralph-kit/columns';
import type { Terminal } from '../terminal.ts';

/** Milliseconds between two drawings of the live line. */
const REDRAW_MS = 500;
/**
 * Columns of the spinner and of the `^C` that a terminal prints at Ctrl-C: a line that wraps can't be erased.
 */
const TAKEN = 3 + '^C '.length;

export type LiveLine = {
  /** Shows a text from now on; `text` gets the number of columns. */
  readonly show: (text: (width: number) => string) => void;
  readonly hide: () => void;
};

/**
 * Opens the line at the bottom of a terminal that is redrawn while a run is active. What is written to the stream
 * meanwhile appears above the line.
 */
export function openLiveLine(terminal: Terminal, stream: NodeJS.WriteStream): LiveLine {
  let text: (width: number) => string = () => '';
  let spinner: Ora | null = null;
  /** Columns of the line on the screen at the moment. */
  let drawn = 0;

  function line(): string {
    const made = text(terminal.columns() - TAKEN);
    drawn = displayWidth(made) + 3;
    return made;
  }

  /** A terminal that became narrower has wrapped the live line into several. */
  function onResize(): void {
    const rows = Math.ceil(drawn / Math.max(1, terminal.columns()));
    if (spinner === null || rows < 2) return;
    stream.moveCursor(0, 1 - rows);
    stream.clearScreenDown();
  }

  function hide(): void {
    if (spinner === null) return;
    stream.off('resize', onResize);
    spinner.stop();
    spinner = null;
  }

  return {
    show: (given) => {
      text = given;
      if (spinner !== null) return;
      // The spinner must take neither Ctrl-C nor typed keys, which are for the run, nor hide the cursor:
      // after a kill it would stay hidden.
      const color = terminal.style.level === 0 ? false : 'cyan';
      spinner = ora({
        stream,
        color,
        suffixText: line,
        interval: REDRAW_MS,
        hideCursor: false,
        discardStdin: false,
      });
      stream.on('resize', onResize);
      spinner.start();
    },
    hide,
  };
}
