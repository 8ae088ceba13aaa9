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
    await sleepOnce(Math.min(left, LONGEST_TIMER_MS), signal);
    left -= LONGEST_TIMER_MS;
  } while (left > 0 && !signal?.aborted);
}

function sleepOnce(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, Math.max(0, ms));
    signal?.addEventListener('abort', finish, { once: true });
  });
}
