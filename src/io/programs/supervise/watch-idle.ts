import type { Clock, Waiting } from '../../../domain/ports.ts';

/**
 * Signs of life of a process tree, both from 0. The output shrinks when a program cuts its log; the processor time
 * when a process ends.
 */
export type Activity = {
  readonly outputBytes: () => number;
  /** Of what works for the program (`toolCpuMs`); `null` where the system does not say. */
  readonly cpuMs: () => number | null;
};

const LOOKS_PER_WINDOW = 10;
const SHORTEST_LOOK_MS = 100;
const LONGEST_LOOK_MS = 10_000;
/** A check that comes so many times too late shows nothing of the time between. */
const MISSED_LOOKS = 3;
/** Below this share of one processor a silent tool is waiting, not working: it wakes up for its timers. */
const WORKING_SHARE = 0.02;

/**
 * Resolves when the program has not written and its tools have not computed for `idleMs` milliseconds in which it didn't
 * wait for you; never when that is 0.
 * Returns early, meaning nothing, when `until` fires.
 */
export async function watchIdle(
  idleMs: number,
  activity: Activity,
  waiting: Waiting,
  clock: Clock,
  until: AbortSignal,
): Promise<void> {
  if (idleMs <= 0) return new Promise(() => undefined);
  const everyMs = Math.min(Math.max(idleMs / LOOKS_PER_WINDOW, SHORTEST_LOOK_MS), LONGEST_LOOK_MS);
  // Not looked up: looking through all processes would hold up an agent that ends at once.
  let bytes = 0;
  let cpu: number | null = 0;
  let looked = clock.monotonicMs();
  let alive = looked;

  for (;;) {
    await clock.sleep(everyMs, until);
    if (until.aborted) return;
    const now = clock.monotonicMs();
    const nowBytes = activity.outputBytes();
    const nowCpu = activity.cpuMs();
    const computed = cpu === null || nowCpu === null ? 0 : nowCpu - cpu;
    const worked = computed > WORKING_SHARE * (now - looked) || computed < 0;
    // Who was not checked (ralph was suspended) is given the benefit of the doubt.
    const missed = now - looked > MISSED_LOOKS * everyMs;
    if (nowBytes !== bytes || worked || missed || waiting.isOpen()) alive = now;
    if (now - alive >= idleMs) return;
    bytes = nowBytes;
    cpu = nowCpu;
    looked = now;
  }
}
