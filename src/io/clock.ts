import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../domain/ports.ts';

/** The longest delay that one Node timer holds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's own clock. `monotonicMs` does not jump when the wall clock is set. */
export function systemClock(): Clock {
  return {
    now: () => new Date().toISOString(),
    monotonicMs: () => performance.now(),
    processorMs: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    sleep,
  };
}

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  let left = ms;
  do {
    // It rejects when the signal fires, which is an end as any other.
    await setTimeout(Math.min(Math.max(0, left), LONGEST_TIMER_MS), undefined, { signal }).catch(
      () => undefined,
    );
    left -= LONGEST_TIMER_MS;
  } while (left > 0 && !signal?.aborted);
}
