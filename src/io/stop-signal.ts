import { constants } from 'node:os';
import { exitCodeOf, STOP_SIGNALS, type StopSignalName } from '../domain/exit.ts';
import type { StopSignal } from '../domain/ports.ts';
import { takeSignals } from '../lib/take-signals.ts';

/** From the second signal to the end of the process, whatever it waits for, in milliseconds. */
const FORCED_MS = 3_000;

export type StopHandlers = {
  /** Called once, with the reason, after `polite` has fired. */
  readonly onFirst: (reason: StopSignalName) => void;
  /** Called once, after `forced` has fired. */
  readonly onSecond: () => void;
  /** Called last, when what was left to do didn't end in time. */
  readonly onHardEnd: () => void;
  /** Asks for a polite end after so many seconds, as `SIGALRM` does. */
  readonly limitSeconds: number;
  /** Asks for a polite end as `SIGTERM` does. */
  readonly signal: AbortSignal;
};

const nothing = () => undefined;

/** Whether a run in this process was asked to stop. */
let asked = false;

export function isStopping(): boolean {
  return asked;
}

/**
 * Listens for the user's wish to stop ralph: the first signal asks for a polite end, the second for a forced one. What
 * doesn't end then ends with the process, with the exit code of the first signal (`programs/table/signals.ts` ends what it
 * started).
 */
export function listenForStop({
  onFirst = nothing,
  onSecond = nothing,
  onHardEnd = nothing,
  limitSeconds,
  signal,
}: Partial<StopHandlers> = {}): StopSignal<StopSignalName> & { readonly dispose: () => void } {
  const polite = new AbortController();
  const forced = new AbortController();
  let reason: StopSignalName | null = null;
  let hardEnd: NodeJS.Timeout | undefined;

  const onSignal = (by: StopSignalName) => {
    if (reason === null) {
      reason = by;
      asked = true;
      polite.abort();
      onFirst(reason);
    } else if (!forced.signal.aborted) {
      hardEnd = setTimeout(endProcess, FORCED_MS, exitCodeOf(reason), onHardEnd);
      forced.abort();
      onSecond();
    }
  };
  // Some are known on Linux alone.
  const signals = STOP_SIGNALS.filter((signal) => signal in constants.signals);
  const giveBack = takeSignals(signals, (signal) => onSignal(signal as StopSignalName));
  const limit = limitSeconds === undefined ? undefined : setTimeout(onSignal, limitSeconds * 1000, 'SIGALRM');
  const onAbort = () => onSignal('SIGTERM');
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted === true) onAbort();

  return {
    polite: polite.signal,
    forced: forced.signal,
    reason: () => reason,
    dispose: () => {
      asked = false;
      clearTimeout(hardEnd);
      clearTimeout(limit);
      signal?.removeEventListener('abort', onAbort);
      giveBack();
    },
  };
}

function endProcess(exitCode: number, onHardEnd: () => void): void {
  try {
    onHardEnd();
  } finally {
    process.exit(exitCode);
  }
}
