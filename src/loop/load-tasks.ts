import type { Reconciliation } from '../domain/choice.ts';
import type { Ports } from '../domain/ports.ts';
import type { State } from '../domain/records/state.ts';
import type { Task } from '../domain/task.ts';
import { own } from '../lib/own.ts';
import {
  checkDependencies,
  holdEdited,
  markRules,
  overlayStatus,
  type PendingEdit,
  pendingEdits,
} from '../tasks/index.ts';
import type { LoadedTracker, LoopContext } from './context.ts';
import { reconcileTracker } from './reconcile-tracker.ts';
import { settleMarks } from './settle-marks.ts';

export type Loaded =
  | { readonly ok: true; readonly tracker: LoadedTracker; readonly tasks: readonly Task[] }
  | { readonly ok: false; readonly message: string };

/** The tracker as it is now, with ralph's own knowledge laid over it; a cycle or an unknown dependency is an error. */
export async function loadTasks({
  ports,
}: {
  readonly ports: Pick<Ports, 'tracker' | 'store'>;
}): Promise<Loaded> {
  const loaded = await ports.tracker.load();
  if (!loaded.ok) return loaded;
  const tasks = overlaid(loaded, ports.store.state);
  // Those that you took out, and that wait for you, come behind the ones of the list.
  const gone = tasks.slice(loaded.tasks.length);
  const listed = gone.length === 0 ? loaded.tasks : [...loaded.tasks, ...gone];
  const problems = [...loaded.problems, ...checkDependencies(listed)];
  if (problems.length > 0) {
    const lines = problems.map(
      ({ line, message }) => `${loaded.name}${line === null ? '' : `:${line}`}: ${message}`,
    );
    return { ok: false, message: lines.join('\n') };
  }
  return { ok: true, tracker: loaded, tasks };
}

type Reconciled = { readonly reconciled: Reconciliation[] };

type Since = {
  /** An attempt was open when the last run ended. */
  readonly cutOff: boolean;
  /** The run is at work. */
  readonly running: boolean;
};

/** The tasks once task file and journal agree; `reconciled`: what had to be done for that. */
export async function loadReconciled(
  context: LoopContext,
  { cutOff, running }: Since = { cutOff: false, running: true },
): Promise<(Extract<Loaded, { ok: true }> & Reconciled) | Extract<Loaded, { ok: false }>> {
  const { store, emit } = context.ports;
  // What other commands recorded meanwhile (`ralph unblock`) counts.
  store.refresh();
  let loaded = await loadTasks(context);
  if (!loaded.ok) return loaded;
  const reconciliation = await reconcileTracker(context, loaded.tracker, cutOff);
  if (reconciliation?.steps.some(({ kind }) => kind === 'mark')) {
    loaded = await loadTasks(context);
    if (!loaded.ok) return loaded;
  }
  // Taking a block back changes what is laid over the tasks, not the file; so does what explains a mark.
  let tasks = reconciliation === null ? loaded.tasks : overlaid(loaded.tracker, store.state);
  const accepted = await settleMarks(context, tasks, running);
  if (accepted.length > 0) {
    emit({ kind: 'tasks_accepted', tasks: accepted });
    tasks = overlaid(loaded.tracker, store.state);
  }
  return { ...loaded, tasks, reconciled: reconciliation === null ? [] : [reconciliation] };
}

/** The tasks of a tracker with what ralph knows laid over them, and those that you took out and that wait for you. */
export function overlaid(tracker: LoadedTracker, state: State): readonly Task[] {
  return holdEdited(withStatus(tracker, state), state);
}

/** Edits of tasks that count once you accept them. */
export function waitingEdits(tracker: LoadedTracker, state: State): readonly PendingEdit[] {
  return pendingEdits(withStatus(tracker, state), state);
}

function withStatus(tracker: LoadedTracker, state: State): readonly Task[] {
  const rules = markRules(tracker, state);
  return tracker.tasks.map((task) => ({
    ...task,
    status: overlayStatus(task, own(state.tasks, task.id), rules),
  }));
}
