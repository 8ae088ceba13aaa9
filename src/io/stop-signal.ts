import type { StopSignal } from '../domain/ports.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Listens for the user's wish to stop ralph: the first signal asks for a polite end, the second for a forced one,
 * later ones do nothing more. A closed terminal (SIGHUP) counts as SIGTERM.
 *
 * @param onFirst called once, with the reason, after `polite` has fired.
 * @param onSecond called once, after `forced` has fired.
 */
export function listenForStop(
  onFirst: (reason: 'SIGINT' | 'SIGTERM') => void,
  onSecond: () => void,
): StopSignal & { readonly dispose: () => void } {
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
  for (const signal of SIGNALS) process.on(signal, onSignal);

  return {
    polite: polite.signal,
    forced: forced.signal,
    reason: () => reason,
    dispose: () => {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
}
