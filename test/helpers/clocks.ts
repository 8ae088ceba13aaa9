import type { Clock, StopSignal } from '../../src/domain/ports.ts';
import { systemClock } from '../../src/io/clock.ts';

const HOUR_MS = 3_600_000;

/**
 * Returns a wall clock that jumps at each look by hours, across the end of daylight saving and of the year, with the
 * machine's own monotonic time. `given` has every time that it returned.
 */
export function jumpingClock(start: string): Clock & { readonly given: ReadonlySet<string> } {
  const jumps = [0, 2, -1, 1, -3, 24 * 365, -24 * 400, 1].map((hours) => hours * HOUR_MS);
  const given = new Set<string>();
  let looks = 0;
  return {
    ...systemClock(),
    now: () => {
      looks += 1;
      const now = new Date(Date.parse(start) + (jumps[looks % jumps.length] ?? 0) + looks).toISOString();
      given.add(now);
      return now;
    },
    given,
  };
}

/** Length of a delay, in milliseconds, that only ends when the test releases it. */
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

/** Returns a stop signal that the test fires. */
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
