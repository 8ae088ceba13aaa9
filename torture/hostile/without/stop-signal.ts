import { takeSignals } from 'ralph-kit/take-signals';

type Handlers = { readonly onFirst: (reason: 'SIGINT' | 'SIGTERM') => void; readonly onSecond: () => void };

/** Replacement without the protection: three signals are handled, and nothing ends a process that hangs. */
export function listenForStop({ onFirst, onSecond }: Handlers) {
  const polite = new AbortController();
  const forced = new AbortController();
  let reason: 'SIGINT' | 'SIGTERM' | null = null;
  const onSignal = (signal: NodeJS.Signals) => {
    if (reason === null) {
      reason = signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM';
      polite.abort();
      onFirst(reason);
    } else if (!forced.signal.aborted) {
      forced.abort();
      onSecond();
    }
  };
  takeSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], onSignal);
  return { polite: polite.signal, forced: forced.signal, reason: () => reason, dispose: () => undefined };
}

/** Programs that wait in vain aren't ended sooner. */
export function isStopping(): boolean {
  return false;
}
