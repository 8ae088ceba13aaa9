import type { LoopContext } from './context.ts';

/**
 * Makes the task file and the journal agree where they differ. A file that is as ralph last accepted it, but lacks a
 * mark of the journal, was not written because ralph was killed in between: the mark is set now. In a file that has
 * changed since, a person took the mark away: a blocked task starts a new series of attempts.
 */
export async function reconcileTracker({ ports }: Pick<LoopContext, 'ports'>): Promise<void> {
  const { store, tracker } = ports;
  const loaded = await tracker.load();
  // Issues have no marks to agree with, and a file that cannot be read is reported by who reads it next.
  if (!loaded.ok || loaded.format === 'github') return;
  const { state } = store;
  const asAccepted = loaded.sha256 === state.trackerSha256;
  for (const { id, status } of loaded.tasks) {
    const known = state.tasks[id];
    if (known === undefined || status === 'done' || status === 'blocked') continue;
    if (asAccepted && known.doneBy !== null) await tracker.setStatus(id, 'done');
    if (known.blocked === null || !loaded.holdsBlocked) continue;
    if (asAccepted) await tracker.setStatus(id, 'blocked');
    else
      store.commit(() => [
        { type: 'task_unblocked', taskId: id, reason: 'the mark was taken away in the task file' },
      ]);
  }
  if (!asAccepted) {
    const now = await tracker.load();
    if (now.ok) store.commit(() => [{ type: 'tracker_accepted', sha256: now.sha256 }]);
  }
}
