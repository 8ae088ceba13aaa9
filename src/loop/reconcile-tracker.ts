import type { LoadedTracker, LoopContext } from './context.ts';

/**
 * Makes the task file and the journal agree where they differ. A file that is as ralph last accepted it, but lacks a
 * mark of the journal, was not written because ralph was killed in between: the mark is set now. In a file that has
 * changed since, a person took the mark away: a blocked task starts a new series of attempts.
 *
 * @returns Whether the file was written and has to be read again.
 */
export async function reconcileTracker(
  { ports }: Pick<LoopContext, 'ports'>,
  loaded: LoadedTracker,
): Promise<boolean> {
  // Issues have no marks to agree with.
  if (loaded.format === 'github') return false;
  const { store, tracker } = ports;
  const { state } = store;
  const asAccepted = loaded.sha256 === state.trackerSha256;
  let written = false;
  const mark = async (id: string, status: 'done' | 'blocked') => {
    await tracker.setStatus(id, status);
    written = true;
  };
  for (const { id, status } of loaded.tasks) {
    const known = state.tasks[id];
    if (known === undefined || status === 'done' || status === 'blocked') continue;
    if (asAccepted && known.doneBy !== null) await mark(id, 'done');
    if (known.blocked === null || !loaded.holdsBlocked) continue;
    if (asAccepted) await mark(id, 'blocked');
    else
      store.commit(() => [
        { type: 'task_unblocked', taskId: id, reason: 'the mark was taken away in the task file' },
      ]);
  }
  if (!asAccepted) store.commit(() => [{ type: 'tracker_accepted', sha256: loaded.sha256 }]);
  return written;
}
