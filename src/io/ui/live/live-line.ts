import { displayWidth } from '../../../lib/text.ts';
import type { Terminal } from '../terminal.ts';

/** How often the line is drawn, in milliseconds. */
const REDRAW_MS = 500;
/** The console of Linux has no Braille. */
const FRAMES = process.env.TERM === 'linux' ? ['-', '\\', '|', '/'] : ['⠋', '⠙', '⠸', '⠴', '⠦', '⠇'];
/** Columns of the spinner, and what a terminal adds at Ctrl-C: a line that breaks can't be taken back. */
const TAKEN = 2 + '^C '.length;
const CLEAR_REST = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

export type LiveLine = {
  /** Shows this from now on; `text` gets the columns that there are. */
  readonly show: (text: (width: number) => string) => void;
  readonly hide: () => void;
  /** Writes above the line, which stays. */
  readonly above: (write: () => void) => void;
};

/** The line at the bottom of a terminal that is drawn again and again; elsewhere there is none. */
export function openLiveLine(terminal: Terminal, write: (text: string) => void, quiet: boolean): LiveLine {
  let current: ((width: number) => string) | null = null;
  let ticker: ReturnType<typeof setInterval> | null = null;
  let frame = 0;
  /** Columns of the line as it stands on the screen; 0: it isn't there. */
  let drawn = 0;

  /** To the beginning of the line. A terminal that was made narrower has broken it into several. */
  function back(): string {
    const rows = Math.ceil(drawn / Math.max(1, terminal.columns()));
    return `\r${rows > 1 ? `\u001b[${rows - 1}A` : ''}`;
  }

  function draw(): void {
    if (current === null) return;
    const text = current(terminal.columns() - TAKEN);
    const from = back();
    drawn = displayWidth(text) + 2;
    write(`${from}${terminal.style.cyan(FRAMES[frame % FRAMES.length])} ${text}${CLEAR_REST}${CLEAR_BELOW}`);
  }

  function tick(): void {
    frame += 1;
    draw();
  }

  function erase(): void {
    if (drawn > 0) write(`${back()}${CLEAR_BELOW}`);
    drawn = 0;
  }

  function hide(): void {
    if (ticker !== null) clearInterval(ticker);
    ticker = null;
    current = null;
    erase();
  }

  return {
    show: (text) => {
      if (quiet || !terminal.live) return;
      current = text;
      if (ticker !== null) return;
      ticker = setInterval(tick, REDRAW_MS);
      ticker.unref();
      draw();
    },
    hide,
    above: (print) => {
      erase();
      print();
      draw();
    },
  };
}
