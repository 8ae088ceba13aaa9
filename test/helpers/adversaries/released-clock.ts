import type { Clock } from '../../../src/domain/ports.ts';
import { systemClock } from '../../../src/io/clock.ts';

/** A delay of this length never ends by itself, but when the test releases it. */
export const UNTIL_RELEASED_MS = 24 * 3600 * 1000;

/** The system's clock, but delays of `UNTIL_RELEASED_MS` end when `release` is called. */
export function releasedClock(): Clock & { readonly release: () => void } {
  const clock = systemClock();
  const released = new AbortController();
  return {
    ...clock,
    sleep: (ms, signal) => {
      if (ms < UNTIL_RELEASED_MS) return clock.sleep(ms, signal);
      const until = signal === undefined ? released.signal : AbortSignal.any([signal, released.signal]);
      return clock.sleep(ms, until);
    },
    release: () => released.abort(),
  };
}
