import type { Reconciliation } from '../domain/choice.ts';
import type { Ports } from '../domain/ports.ts';
import type { State } from '../domain/records/state.ts';
import type { Task } from '../domain/task.ts';
import { own } from '../lib/own.ts';
import { checkDependencies, overlayStatus } from '../tasks/index.ts';
import type { LoadedTracker, LoopContext } from './context.ts';
import { reconcileTracker } from './reconcile-tracker.ts';

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
  const problems = [...loaded.problems, ...checkDependencies(loaded.tasks)];
  if (problems.length > 0) {
    const lines = problems.map(
      ({ line, message }) => `${loaded.name}${line === null ? '' : `:${line}`}: ${message}`,
    );
    return { ok: false, message: lines.join('\n') };
  }
  return { ok: true, tracker: loaded, tasks: overlaid(loaded, ports.store.state.tasks) };
}

type Reconciled = { readonly reconciled: Reconciliation[] };

/** The tasks once task file and journal agree; `reconciled`: what had to be done for that. */
export async function loadReconciled(
  context: LoopContext,
): Promise<(Extract<Loaded, { ok: true }> & Reconciled) | Extract<Loaded, { ok: false }>> {
  // What other commands recorded meanwhile (`ralph unblock`) counts.
  context.ports.store.refresh();
  const loaded = await loadTasks(context);
  if (!loaded.ok) return loaded;
  const reconciliation = await reconcileTracker(context, loaded.tracker);
  if (reconciliation === null) return { ...loaded, reconciled: [] };
  const reconciled = [reconciliation];
  if (reconciliation.steps.some(({ kind }) => kind === 'mark')) {
    const again = await loadTasks(context);
    return again.ok ? { ...again, reconciled } : again;
  }
  // Taking a block back changes what is laid over the tasks, not the file.
  const tasks = overlaid(loaded.tracker, context.ports.store.state.tasks);
  return { ...loaded, tasks, reconciled };
}

/** The tasks of a tracker with what ralph knows laid over them. */
export function overlaid({ tasks, holdsBlocked }: LoadedTracker, states: State['tasks']): Task[] {
  return tasks.map((task) => {
    const known = own(states, task.id);
    return { ...task, status: overlayStatus(task, known, holdsBlocked) };
  });
}
