import { takeSignals } from '../lib/take-signals.ts';
import { envelope } from './print.ts';

/** Those that end a command from outside, by their numbers. */
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/** Leaves these signals to Node, which ends the process by them without a word. */
export let leaveSignals: () => void = () => undefined;

/**
 * Until a command listens itself, a signal ends it at once, with a sentence and the exit code that shells give: it has not begun yet.
 *
 * @param json Whether the result is wanted as JSON.
 */
export function endOnSignals(json: boolean): void {
  leaveSignals = takeSignals(Object.keys(SIGNALS) as (keyof typeof SIGNALS)[], (signal, hasBegun) => {
    const by = signal === 'SIGINT' ? 'Ctrl-C' : signal;
    const message = `Stopped by ${by}${hasBegun ? '' : ': nothing was run'}.`;
    const exitCode = 128 + SIGNALS[signal as keyof typeof SIGNALS];
    const command = process.argv.slice(2).find((word) => /^[a-z]/.test(word)) ?? 'ralph';
    if (json) process.stdout.write(envelope(command, exitCode, { error: { message, next: null } }));
    else process.stderr.write(`ralph: ${message}\n`);
    process.exit(exitCode);
  });
}
