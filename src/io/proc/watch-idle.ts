import type { Clock } from '../../domain/ports.ts';

/** Signs of life of a process tree. Both only ever grow. */
export type Activity = {
  readonly outputBytes: () => number;
  /** `null` where the system does not tell. */
  readonly cpuMs: () => number | null;
};

const LOOKS_PER_WINDOW = 10;
const SHORTEST_LOOK_MS = 100;
const LONGEST_LOOK_MS = 10_000;
/**
 * Below this share of one processor a silent tree is waiting, not working: a program that waits for the network
 * still wakes up for its timers.
 */
const WORKING_SHARE = 0.02;

/**
 * Resolves when the tree has neither written nor computed for `idleMs` milliseconds; never when that is 0.
 * Returns early, meaning nothing, when `until` fires.
 */
export async function watchIdle(
  idleMs: number,
  activity: Activity,
  clock: Clock,
  until: AbortSignal,
): Promise<void> {
  if (idleMs <= 0) return new Promise(() => undefined);
  const everyMs = Math.min(Math.max(idleMs / LOOKS_PER_WINDOW, SHORTEST_LOOK_MS), LONGEST_LOOK_MS);
  let bytes = activity.outputBytes();
  let cpu = activity.cpuMs();
  let looked = clock.monotonicMs();
  let alive = looked;

  while (!until.aborted) {
    await clock.sleep(everyMs, until);
    const now = clock.monotonicMs();
    const nowBytes = activity.outputBytes();
    const nowCpu = activity.cpuMs();
    const computed = cpu === null || nowCpu === null ? 0 : nowCpu - cpu;
    if (nowBytes !== bytes || computed > WORKING_SHARE * (now - looked)) alive = now;
    if (now - alive >= idleMs) return;
    bytes = nowBytes;
    cpu = nowCpu;
    looked = now;
  }
}
