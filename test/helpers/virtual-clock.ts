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
