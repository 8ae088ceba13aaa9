import type { Reconciliation } from '../domain/records/choice.ts';
import { takenBackLines } from '../domain/records/marks.ts';
import type { LoopContext } from './context.ts';
import { type Loaded, loadTasks, overlaid } from './load-tasks.ts';
import { keepWork } from './perform/keep-work.ts';
import { reconcileTracker } from './reconcile-tracker.ts';
import { settleMarks } from './settle-marks.ts';

type Reconciled = { readonly reconciled: Reconciliation[] };

type Since = {
  readonly cutOff: boolean;
  readonly running: boolean;
};

/** Reads the task list and makes it agree with the journal. `reconciled`: the steps that this took. */
export async function loadReconciled(
  context: LoopContext,
  { cutOff, running }: Since = { cutOff: false, running: true },
): Promise<(Extract<Loaded, { ok: true }> & Reconciled) | Extract<Loaded, { ok: false }>> {
  const { store } = context.ports;
  // Another command, such as `ralph unblock`, may have written records.
  store.refresh();
  let loaded = await loadTasks(context);
  if (!loaded.ok) return loaded;
  // If the id of a task now belongs to another one, the earlier task's work leaves the copy first, but not while an
  // attempt has it.
  const atWork = new Set(store.state.workplaces.map(({ openIteration }) => openIteration?.taskId));
  const replaced = loaded.tracker.replacing.filter((id) => !atWork.has(id));
  for (const id of replaced) await keepWork(context, id, 'ended');
  if (replaced.length > 0) loaded = await loadTasks(context);
  if (!loaded.ok) return loaded;
  const before = store.state.takenBack;
  const reconciliation = await reconcileTracker(context, loaded.tracker, cutOff);
  // At its start, the run has already reported removed marks.
  if (running)
    for (const message of takenBackLines(
      loaded.tracker.takenBack.filter(({ taskId }) => !before.includes(taskId)),
    ))
      store.commit([{ type: 'warned', message }]);
  if (reconciliation?.steps.some(({ kind }) => kind === 'mark')) {
    loaded = await loadTasks(context);
    if (!loaded.ok) return loaded;
  }
  // Only statuses changed, so the list needn't be read again.
  let tasks = reconciliation === null ? loaded.tasks : overlaid(loaded.tracker, store.state);
  const accepted = await settleMarks(context, tasks, running);
  if (accepted.length > 0) tasks = overlaid(loaded.tracker, store.state);
  return { ...loaded, tasks, reconciled: reconciliation === null ? [] : [reconciliation] };
}
