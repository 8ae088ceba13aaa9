import type { Clock } from '../../src/domain/ports.ts';
import { systemClock } from '../../src/io/clock.ts';

const HOUR_MS = 3_600_000;

/**
 * A wall clock that somebody sets at every look, hours forth and back across the end of daylight saving and of the
 * year, over the machine's own monotonic time. `told` has every time it gave.
 */
export function jumpingClock(start: string): Clock & { readonly told: ReadonlySet<string> } {
  const jumps = [0, 2, -1, 1, -3, 24 * 365, -24 * 400, 1].map((hours) => hours * HOUR_MS);
  const told = new Set<string>();
  let looks = 0;
  return {
    ...systemClock(),
    now: () => {
      looks += 1;
      const now = new Date(Date.parse(start) + (jumps[looks % jumps.length] ?? 0) + looks).toISOString();
      told.add(now);
      return now;
    },
    told,
  };
}
