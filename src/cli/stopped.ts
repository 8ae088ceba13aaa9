import { takeSignals } from 'ralph-kit/take-signals';
import { envelope } from './print.ts';

/** Signals that end a command from outside, by their numbers. */
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/** Removes ralph's signal handlers, so that a signal ends the process without a message. */
export let leaveSignals: () => void = () => undefined;

const NAMES = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[];

/** Makes a signal end ralph with a message and the shell's exit code, until a command handles signals itself. */
export function endOnSignals(json: boolean): void {
  const giveBack = takeSignals(NAMES, (signal, hasBegun) => {
    const by = signal === 'SIGINT' ? 'Ctrl-C' : signal;
    const message = `Stopped by ${by}${hasBegun ? '' : ': nothing was run'}.`;
    const exitCode = 128 + SIGNALS[signal as keyof typeof SIGNALS];
    const command = process.argv.slice(2).find((word) => /^[a-z]/.test(word)) ?? 'ralph';
    if (json) process.stdout.write(envelope(command, exitCode, { error: { message, next: null } }));
    else process.stderr.write(`ralph: ${message}\n`);
    process.exit(exitCode);
  });
  leaveSignals = () => {
    // One that has arrived and that Node hasn't reported yet would be lost with the last handler.
    const leave = takeSignals(NAMES, (signal) => {
      leave();
      process.kill(process.pid, signal);
    });
    giveBack();
    setImmediate(() => setImmediate(leave));
  };
}
