import { type StopSignal, WORKER_STOPPED } from '../../domain/ports.ts';
import type { LoopContext } from '../context.ts';

export function openWorkerStop({ polite, forced, reason }: StopSignal): {
  readonly signal: StopSignal;
  readonly stop: () => void;
} {
  const own = new AbortController();
  return {
    signal: {
      polite: AbortSignal.any([polite, own.signal]),
      forced,
      reason: () => reason() ?? (own.signal.aborted ? WORKER_STOPPED : null),
    },
    stop: () => own.abort(),
  };
}

const POLL_MS = 1000;

export async function watchWorkerStops(
  { ports: { store, clock } }: Pick<LoopContext, 'ports'>,
  endStopped: () => void,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    await clock.sleep(POLL_MS, over);
    if (over.aborted) return;
    store.refresh();
    endStopped();
  }
}

/**
 * Resolves when a command of yours may let a free worker start a task, or at `until` (ISO 8601 UTC).
 * @param working Ids of running tasks, whose changes don't count
 */
export async function awaitNews(
  { ports: { store, clock, stop } }: Pick<LoopContext, 'ports'>,
  { working, until }: { readonly working: readonly string[]; readonly until: string | null },
  over: AbortSignal,
): Promise<void> {
  const atWork = new Set(working);
  const asked = () => {
    const { control, first, tasks, profiles } = store.state;
    const known = Object.entries(tasks)
      .filter(([id]) => !atWork.has(id))
      .map(([id, { held, parked, blocked, doneBy }]) => [
        ...[id, held, parked],
        ...[blocked === null, doneBy === null],
      ]);
    const agents = Object.values(profiles).map(({ suspended, unavailable }) => [suspended, unavailable]);
    return JSON.stringify([control, first, known, agents]);
  };
  const before = asked();
  let { seq } = store.state;
  while (!over.aborted) {
    await clock.sleep(POLL_MS, over);
    // All other workers end their own attempts.
    if (stop.polite.aborted && atWork.size === 0) return;
    if (over.aborted || (until !== null && Date.parse(clock.now()) >= Date.parse(until))) return;
    if (store.refresh().seq === seq) continue;
    seq = store.state.seq;
    if (asked() !== before) return;
  }
}
