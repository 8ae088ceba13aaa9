import type { Clock } from '../../domain/ports.ts';

/** Measures waits of an attempt. Overlapping waits count once. */
export function openWaiting(clock: Pick<Clock, 'monotonicMs'>) {
  let count = 0;
  let since = 0;
  let total = 0;
  const now = () => (count === 0 ? 0 : clock.monotonicMs() - since);
  return {
    isOpen: () => count > 0,
    totalMs: () => total + now(),
    /** Begins a wait. Returns the function that ends it. */
    begin: () => {
      if (count === 0) since = clock.monotonicMs();
      count += 1;
      return () => {
        if (count === 1) total += now();
        count -= 1;
      };
    },
  };
}

export type OpenWaiting = ReturnType<typeof openWaiting>;
