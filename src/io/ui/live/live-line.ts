import ora, { type Ora } from 'ora';
import type { Terminal } from '../terminal.ts';

/** How often the line is drawn, in milliseconds. */
const REDRAW_MS = 500;
/** Columns of the spinner, and one that stays free: some terminals begin a new line when the last one is taken. */
const TAKEN = 3;

export type LiveLine = {
  /** Shows this from now on; `text` gets the columns that there are. */
  readonly show: (text: (width: number) => string) => void;
  readonly hide: () => void;
  /** Writes above the line, which stays. */
  readonly above: (write: () => void) => void;
};

/** The line at the bottom of a terminal that is drawn again and again; elsewhere there is none. */
export function openLiveLine(terminal: Terminal, quiet: boolean): LiveLine {
  let spinner: Ora | null = null;
  let ticker: ReturnType<typeof setInterval> | null = null;
  let current: ((width: number) => string) | null = null;

  function show(text: (width: number) => string): void {
    if (quiet || !terminal.live) return;
    current = text;
    if (spinner !== null) return;
    const fitted = () => current?.(terminal.columns() - TAKEN) ?? '';
    spinner = ora({ text: fitted(), stream: process.stdout, discardStdin: false, interval: REDRAW_MS });
    if (!terminal.color) spinner.color = false;
    spinner.start();
    ticker = setInterval(() => {
      if (spinner !== null) spinner.text = fitted();
    }, REDRAW_MS);
    ticker.unref();
  }

  function hide(): void {
    if (ticker !== null) clearInterval(ticker);
    ticker = null;
    spinner?.stop();
    spinner = null;
    current = null;
  }

  return {
    show,
    hide,
    above: (write) => {
      const lasting = current;
      hide();
      write();
      if (lasting !== null) show(lasting);
    },
  };
}
