import type { Clock } from '../../../src/domain/ports.ts';

/** Time that passes only when the test says so. */
export function virtualClock(): Clock & {
  readonly pass: (ms: number) => Promise<void>;
  /** Time passes without anybody being woken in between, as for a stopped process. */
  readonly suspend: (ms: number) => void;
} {
  let time = 0;
  let sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  return {
    now: () => new Date(time).toISOString(),
    monotonicMs: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) {
          resolve();
          return;
        }
        const wake = () => {
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        sleepers.push({ at: time + ms, wake });
        signal?.addEventListener('abort', wake);
      }),
    /** Wakes all whose time comes, in order, each before the next moment. */
    pass: async (ms) => {
      const end = time + ms;
      for (;;) {
        await settled();
        const next = sleepers.toSorted((a, b) => a.at - b.at)[0];
        if (next === undefined || next.at > end) break;
        time = Math.max(time, next.at);
        sleepers = sleepers.filter((sleeper) => sleeper !== next);
        next.wake();
      }
      time = end;
    },
    suspend: (ms) => {
      time += ms;
    },
  };
}

/** Lets everything run that waits for nothing. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
