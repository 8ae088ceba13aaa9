import type { Clock, Waiting } from '../../../domain/ports.ts';

/** An attempt that never waits for you. */
export const NEVER: Waiting = { isOpen: () => false, totalMs: () => 0 };

/** How often the end of a wait is looked for. */
const LOOK_EVERY_MS = 1000;

/** Resolves when `wallMs` milliseconds are over in which the program didn't wait for you, or at once when `until` fires. */
export async function watchWall(
  wallMs: number,
  waiting: Waiting,
  clock: Clock,
  until: AbortSignal,
): Promise<void> {
  let left = wallMs;
  let waited = waiting.totalMs();
  do {
    const ms = waiting.isOpen() ? Math.max(left, LOOK_EVERY_MS) : left;
    await clock.sleep(ms, until);
    const total = waiting.totalMs();
    left += total - waited - ms;
    waited = total;
  } while (!until.aborted && (left > 0 || waiting.isOpen()));
}
