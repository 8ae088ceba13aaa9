import { own } from 'ralph-kit/own';
import { checkDependencies } from 'ralph-task-lists';
import type { TrackerProblem } from 'ralph-task-lists/task';
import { markRules, overlayStatus } from '../decide/index.ts';
import type { Ports } from '../domain/ports.ts';
import type { State } from '../domain/records/state.ts';
import type { Task } from '../domain/task.ts';
import type { LoadedTracker } from './context.ts';

export type Loaded =
  | { readonly ok: true; readonly tracker: LoadedTracker; readonly tasks: readonly Task[] }
  | { readonly ok: false; readonly message: string; readonly next?: string };

/** Reads the task list. Returns an error if a problem may hide tasks. */
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

/** Returns the tasks with the statuses that ralph knows. `problem` of a task says what to fix in the list. */
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

/** Returns problems in the order of lines, without those of done tasks. */
export function problemsOf(tracker: LoadedTracker, tasks: readonly Task[]): readonly TrackerProblem[] {
  const dependencies = checkDependencies(tasks, tracker.lineOf, tracker.givenUp);
  if (tracker.problems.length === 0) return dependencies;
  const done = new Set(tasks.filter(({ status }) => status === 'done').map(({ id }) => id));
  const isOpen = ({ tasks: ids }: TrackerProblem) =>
    ids === 'all' || ids.length === 0 || ids.some((id) => !done.has(id));
  return [...tracker.problems, ...dependencies]
    .filter(isOpen)
    .sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
}

/** Returns a line for each problem, such as `.ralph/PRD.md:12: …`. */
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
