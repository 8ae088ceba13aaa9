import { constants } from 'node:os';
import { stopTogether } from 'ralph-kit/programs/table/signals';
import { takeSignals } from 'ralph-kit/take-signals';
import { exitCodeOf, STOP_SIGNALS, type StopSignalName } from '../domain/exit.ts';
import type { StopSignal } from '../domain/ports.ts';
import { systemClock } from './clock.ts';

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
 * exits with the first signal's code (`programs/table/signals.ts` ends its programs). Ctrl-Z stops ralph's programs with
 * it.
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
  const leave = stopTogether();
  const disposed = new AbortController();
  if (limitSeconds !== undefined)
    void systemClock()
      .sleep(limitSeconds * 1000, disposed.signal)
      .then(() => disposed.signal.aborted || onSignal('SIGALRM'));
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
      disposed.abort();
      signal?.removeEventListener('abort', onAbort);
      leave();
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
