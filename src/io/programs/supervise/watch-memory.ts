import type { Clock } from '../../../domain/ports.ts';

const FIRST_LOOK_MS = 250;
const LOOK_EVERY_MS = 1000;
/** Pauses are at least so many times as long as a look took: a large tree costs 2 % of a processor at most. */
const PAUSE_FACTOR = 50;

/**
 * Reports the memory of a process tree about once a second, until `until` fires. Never resolves: nothing ends by it.
 * What `onMemory` throws is thrown.
 *
 * @param memoryMib `null`: not known now, and nothing is reported.
 */
export async function watchMemory(
  memoryMib: () => number | null,
  onMemory: (mib: number) => void,
  clock: Clock,
  until: AbortSignal,
): Promise<never> {
  let pause = FIRST_LOOK_MS;
  for (;;) {
    await clock.sleep(pause, until);
    if (until.aborted) return new Promise(() => undefined);
    const begin = clock.monotonicMs();
    const mib = memoryMib();
    pause = Math.max(LOOK_EVERY_MS, PAUSE_FACTOR * (clock.monotonicMs() - begin));
    if (mib !== null) onMemory(mib);
  }
}
