import { constants } from 'node:os';
import { takeSignals } from 'ralph-kit/take-signals';
import { exitCodeOf, STOP_SIGNALS, type StopSignalName } from '../domain/exit.ts';
import type { StopSignal } from '../domain/ports.ts';

/** Time from the second signal to the end of the process, in milliseconds. */
const FORCED_MS = 3_000;

export type StopHandlers = {
  /** Called once with the reason, after `polite` has fired. */
  readonly onFirst: (reason: StopSignalName) => void;
  /** Called once after `forced` has fired. */
  readonly onSecond: () => void;
  /** Called last when the remaining work didn't end in time. */
  readonly onHardEnd: () => void;
  /** Time in seconds until a polite end, as by `SIGALRM`. */
  readonly limitSeconds: number;
  /** Requests a polite end like `SIGTERM`. */
  readonly signal: AbortSignal;
};

const nothing = () => undefined;

let asked = false;

export function isStopping(): boolean {
  return asked;
}

/**
 * Listens for stop signals: the first asks for a polite end, the second for a forced one. If that fails, the process
 * exits with the first signal's code (`programs/table/signals.ts` ends its programs).
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
  // Some signals exist only on Linux.
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
