import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../domain/ports.ts';

/** Longest delay of one Node timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's clock. `monotonicMs` doesn't jump when the wall clock is set. */
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
    // The timer rejects when the signal fires, which ends the sleep like any timeout.
    await setTimeout(Math.min(Math.max(0, left), LONGEST_TIMER_MS), undefined, { signal }).catch(
      () => undefined,
    );
    left -= LONGEST_TIMER_MS;
  } while (left > 0 && !signal?.aborted);
}
