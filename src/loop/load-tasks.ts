import type { Ports } from '../domain/ports.ts';
import type { Reconciliation } from '../domain/records/choice.ts';
import { takenBackLines } from '../domain/records/marks.ts';
import type { State } from '../domain/records/state.ts';
import type { Task, TrackerProblem } from '../domain/task.ts';
import { own } from '../lib/own.ts';
import { checkDependencies, markRules, overlayStatus } from '../tasks/index.ts';
import type { LoadedTracker, LoopContext } from './context.ts';
import { reconcileTracker } from './reconcile-tracker.ts';
import { settleMarks } from './settle-marks.ts';

export type Loaded =
  | { readonly ok: true; readonly tracker: LoadedTracker; readonly tasks: readonly Task[] }
  | { readonly ok: false; readonly message: string; readonly next?: string };

/** The tracker as it is now, with ralph's own knowledge laid over it; an error where tasks may be hidden in it. */
export async function loadTasks({
  ports,
}: {
  readonly ports: Pick<Ports, 'tracker' | 'store'>;
}): Promise<Loaded> {
  const loaded = await ports.tracker.load();
  if (!loaded.ok) return loaded;
  const hiding = loaded.problems.filter((problem) => problem.tasks === 'all');
  if (hiding.length > 0) return { ok: false, message: problemLines(loaded, hiding).join('\n') };
  const tasks = overlaid(loaded, ports.store.state);
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
  const { store } = context.ports;
  // What other commands recorded meanwhile (`ralph unblock`) counts.
  store.refresh();
  let loaded = await loadTasks(context);
  if (!loaded.ok) return loaded;
  const before = store.state.takenBack;
  const reconciliation = await reconcileTracker(context, loaded.tracker, cutOff);
  // At the start of a run it is said first of all.
  if (running)
    for (const message of takenBackLines(
      loaded.tracker.takenBack.filter(({ taskId }) => !before.includes(taskId)),
    ))
      store.commit([{ type: 'warned', message }]);
  if (reconciliation?.steps.some(({ kind }) => kind === 'mark')) {
    loaded = await loadTasks(context);
    if (!loaded.ok) return loaded;
  }
  // Taking a block back changes what is laid over the tasks, not the file; so does what explains a mark.
  let tasks = reconciliation === null ? loaded.tasks : overlaid(loaded.tracker, store.state);
  const accepted = await settleMarks(context, tasks, running);
  if (accepted.length > 0) tasks = overlaid(loaded.tracker, store.state);
  return { ...loaded, tasks, reconciled: reconciliation === null ? [] : [reconciliation] };
}

/**
 * The tasks of a tracker with what ralph knows laid over them. What has to be fixed in the list is in `problem` of each.
 */
export function overlaid(tracker: LoadedTracker, state: State): readonly Task[] {
  const tasks = withStatus(tracker, state);
  const problems = problemsOf(tracker, tasks);
  if (problems.length === 0) return tasks;
  const messages = new Map<string, string[]>();
  for (const { tasks: ids, message } of problems) {
    for (const id of ids) messages.set(id, [...(messages.get(id) ?? []), message]);
  }
  return tasks.map((task) => ({ ...task, problem: messages.get(task.id)?.join('; ') ?? task.problem }));
}

/** What has to be fixed in a list, in its order; a task that is done has nothing to fix. */
export function problemsOf(tracker: LoadedTracker, tasks: readonly Task[]): readonly TrackerProblem[] {
  const dependencies = checkDependencies(tasks, tracker.lineOf);
  if (tracker.problems.length === 0) return dependencies;
  const done = new Set(tasks.filter(({ status }) => status === 'done').map(({ id }) => id));
  const isOpen = ({ tasks: ids }: TrackerProblem) =>
    ids === 'all' || ids.length === 0 || ids.some((id) => !done.has(id));
  return [...tracker.problems, ...dependencies]
    .filter(isOpen)
    .sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
}

/** `.ralph/PRD.md:12: …` */
function problemLines({ name }: LoadedTracker, problems: readonly TrackerProblem[]): string[] {
  return problems.map(({ line, message }) => `${name}${line === null ? '' : `:${line}`}: ${message}`);
}

function withStatus(tracker: LoadedTracker, state: State): readonly Task[] {
  const rules = markRules(tracker, state);
  return tracker.tasks.map((task) => ({
    ...task,
    status: overlayStatus(task, own(state.tasks, task.id), rules),
  }));
}
