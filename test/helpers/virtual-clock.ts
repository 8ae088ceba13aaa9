import type { Clock } from 'ralph-kit/clock';

/** Returns a clock that jumps to the next event once nothing else is left to do. Times are in seconds. */
export function openVirtualClock() {
  type Alarm = { readonly at: number; readonly ring: () => void };
  let [now, alarms] = [0, [] as Alarm[]];
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    now: () => now,
    /** Resolves after some seconds, or when the signal fires. */
    wait: (seconds: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (signal?.aborted) return resolve();
        const ring = () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        };
        const alarm = { at: now + seconds, ring };
        const leave = () => {
          alarms = alarms.filter((one) => one !== alarm);
          resolve();
        };
        signal?.addEventListener('abort', leave, { once: true });
        alarms.push(alarm);
      }),
    /** Resolves with the time, in seconds, once all of the work has ended. */
    run: async (work: Promise<unknown>): Promise<number> => {
      let isOver = false;
      const over = work.finally(() => {
        isOver = true;
      });
      for (await nextTurn(); !isOver; await nextTurn()) {
        const at = alarms.reduce((first, alarm) => Math.min(first, alarm.at), Number.POSITIVE_INFINITY);
        if (!Number.isFinite(at)) throw new Error('everything waits, and nothing comes');
        now = at;
        const due = alarms.filter((alarm) => alarm.at === now);
        alarms = alarms.filter((alarm) => alarm.at !== now);
        for (const { ring } of due) ring();
      }
      await over;
      return now;
    },
  };
}

/** Returns a clock whose time passes only when the test says so. */
export function virtualClock(): Clock & {
  readonly pass: (ms: number) => Promise<void>;
  /** Lets time pass without running any timer meanwhile, as for a stopped process. */
  readonly suspend: (ms: number) => void;
} {
  let time = 0;
  let sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  return {
    now: () => new Date(time).toISOString(),
    monotonicMs: () => time,
    processorMs: () => time,
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
    /** Lets time pass and wakes all whose time comes, in order, each before the next moment. */
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

/** Lets everything run that doesn't wait for time. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
