import ora, { type Ora } from 'ora';
import type { LoopEvent } from '../../domain/loop-event.ts';
import { counted } from '../../lib/counted.ts';
import { fitWidth, onOneLine } from '../../lib/text.ts';
import { agentWords } from './agent-words.ts';
import { eventText, waitText } from './event-text.ts';
import { printable } from './printable.ts';
import type { Terminal } from './terminal.ts';

type Printer = {
  readonly emit: (event: LoopEvent) => void;
  /** Values that are never printed among the agent's words. */
  readonly hide: (secrets: readonly string[]) => void;
  readonly dispose: () => void;
};

export type PrinterOptions = {
  readonly terminal: Terminal;
  readonly write: (text: string) => void;
  /** Print the summary alone. */
  readonly quiet: boolean;
  /** Print what the agent says as it says it. */
  readonly stream: boolean;
};

/** How often the live line is drawn, in milliseconds. */
const REDRAW_MS = 500;

/** Prints the loop's events: with a live line in a terminal, as plain lines elsewhere. */
export function runPrinter({ terminal, write, quiet, stream }: PrinterOptions): Printer {
  const live = liveLine(terminal, quiet);
  const words = agentWords(terminal, (text) => print(text));
  let attempt = { startedAt: 0, limit: 0, action: 'starting', calls: 0 };
  const attemptText = () => {
    const elapsed = Math.round((performance.now() - attempt.startedAt) / 1000);
    const calls = attempt.calls === 0 ? '' : ` · ${counted(attempt.calls, 'action')}`;
    return `${elapsed} s of ${attempt.limit} s${calls} · ${attempt.action}`;
  };

  function follow(event: LoopEvent): void {
    switch (event.kind) {
      case 'iteration_started':
        attempt = { startedAt: performance.now(), limit: event.timeoutSeconds, action: 'starting', calls: 0 };
        if (!stream) live.start(attemptText);
        break;
      case 'agent_event':
        if (event.action !== null) {
          attempt = { ...attempt, action: onOneLine(event.action), calls: attempt.calls + 1 };
        }
        break;
      case 'waiting':
        live.start(() => `${waitText(event)} (Ctrl-C to stop)`);
        break;
      default:
        break;
    }
  }

  function print(text: string): void {
    if (!quiet) live.above(() => write(text));
  }

  function emit(given: LoopEvent): void {
    if (given.kind === 'agent_event') {
      if (stream) words.say(given);
      follow(given);
      return;
    }
    words.end();
    const event = printable(given);
    if (event.kind === 'iteration_started') words.begin(event.agent);
    if (ENDS_LIVE.has(event.kind)) live.stop();
    // In a terminal the live line counts the wait down.
    const text = event.kind === 'waiting' && terminal.live ? null : eventText(event, terminal);
    if (text !== null && event.kind === 'run_finished') live.above(() => write(`${text}\n`));
    else if (text !== null) print(`${text}\n`);
    follow(event);
  }
  return { emit, hide: words.hide, dispose: live.stop };
}

const ENDS_LIVE = new Set<LoopEvent['kind']>([
  'agent_finished',
  'iteration_finished',
  'waited',
  'run_finished',
]);

/** The line at the bottom of a terminal that is drawn again and again; elsewhere there is none. */
function liveLine(terminal: Terminal, quiet: boolean) {
  let spinner: Ora | null = null;
  let ticker: ReturnType<typeof setInterval> | null = null;
  let current: (() => string) | null = null;

  function start(text: () => string): void {
    if (quiet || !terminal.live) return;
    stop();
    current = text;
    const fitted = () => fitWidth(text(), terminal.width - 4);
    spinner = ora({ text: fitted(), stream: process.stdout, discardStdin: false }).start();
    ticker = setInterval(() => {
      if (spinner !== null) spinner.text = fitted();
    }, REDRAW_MS);
    ticker.unref();
  }

  function stop(): void {
    if (ticker !== null) clearInterval(ticker);
    ticker = null;
    spinner?.stop();
    spinner = null;
    current = null;
  }

  /** Writes above the line, which stays. */
  function above(write: () => void): void {
    const lasting = current;
    stop();
    write();
    if (lasting !== null) start(lasting);
  }
  return { start, stop, above };
}
