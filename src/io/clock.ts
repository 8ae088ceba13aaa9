import { setTimeout } from 'node:timers/promises';
import { runningMs } from 'ralph-kit/programs/table/signals';
import type { Clock } from '../domain/ports.ts';

/** Longest delay of one Node timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The machine's clock. `monotonicMs` and `sleep` don't jump when the wall clock is set, and stand still while Ctrl-Z has
 * stopped ralph.
 */
export function systemClock(): Clock {
  return {
    now: () => new Date().toISOString(),
    monotonicMs: runningMs,
    processorMs: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    sleep,
  };
}

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  const end = runningMs() + ms;
  let left = ms;
  do {
    // The timer rejects when the signal fires, which ends the sleep like any timeout.
    await setTimeout(Math.min(Math.max(0, left), LONGEST_TIMER_MS), undefined, { signal }).catch(
      () => undefined,
    );
    left = end - runningMs();
    // Timers are exact to a millisecond.
  } while (left >= 1 && !signal?.aborted);
}
