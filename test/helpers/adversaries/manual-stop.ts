import type { StopSignal } from '../../../src/domain/ports.ts';

/** A stop signal that the test fires. */
export function manualStop(): StopSignal & { readonly stop: () => void; readonly force: () => void } {
  const polite = new AbortController();
  const forced = new AbortController();
  return {
    polite: polite.signal,
    forced: forced.signal,
    reason: () => (polite.signal.aborted ? 'SIGINT' : null),
    stop: () => polite.abort(),
    force: () => {
      polite.abort();
      forced.abort();
    },
  };
}
