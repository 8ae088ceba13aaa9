import ora, { type Ora } from 'ora';
import { displayWidth } from 'ralph-kit/columns';
import type { Terminal } from '../terminal.ts';

/** How often the line is drawn, in milliseconds. */
const REDRAW_MS = 500;
/** Columns of the spinner, and what a terminal adds at Ctrl-C: a line that breaks can't be taken back. */
const TAKEN = 3 + '^C '.length;

export type LiveLine = {
  /** Shows this from now on; `text` gets the columns that there are. */
  readonly show: (text: (width: number) => string) => void;
  readonly hide: () => void;
};

/**
 * The line at the bottom of a terminal that is drawn again and again; elsewhere there is none. What is written to the
 * stream meanwhile comes to stand above it.
 */
export function openLiveLine(terminal: Terminal, stream: NodeJS.WriteStream, quiet: boolean): LiveLine {
  let text: (width: number) => string = () => '';
  let spinner: Ora | null = null;
  /** Columns of the line as it stands on the screen. */
  let drawn = 0;

  function line(): string {
    const made = text(terminal.columns() - TAKEN);
    drawn = displayWidth(made) + 3;
    return made;
  }

  /** A terminal that was made narrower has broken the line into several. */
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
      if (quiet || !terminal.live) return;
      text = given;
      if (spinner !== null) return;
      // Ctrl-C and what is typed are for the run, and a cursor that was hidden would stay so after a kill.
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
