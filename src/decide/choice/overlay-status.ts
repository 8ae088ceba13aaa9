import { plainWords } from 'ralph-task-lists';
import type { TakenBack } from '../../domain/records/marks.ts';
import { openIterations, type State, type TaskState } from '../../domain/records/state.ts';
import type { Task, TaskStatus } from '../../domain/task.ts';

/** Rules for reading the marks of a tracker. */
export type MarkRules = {
  /** Whether the tracker itself can mark a task as blocked. */
  readonly holdsBlocked: boolean;
  /** Whether tasks that are done in the tracker were done before ralph came (`State.imports`). */
  readonly imports: boolean;
  /** Whether a missing mark means that you reopened a done or blocked task. False: the mark wasn't written yet. */
  readonly reopens: boolean;
  /** Ids of tasks whose missing mark has no effect. */
  readonly takenBack: ReadonlySet<string>;
};

/** Facts about a tracker that decide how its marks are read. */
type Marked = {
  readonly holdsBlocked: boolean;
  readonly holdsDone: boolean;
  readonly paths: readonly string[];
  readonly sha256: string;
  readonly takenBack: readonly TakenBack[];
};

/**
 * Returns the rules for a tracker. If a file changed since ralph wrote it, you changed it, unless an attempt is open. A
 * service is only changed by you.
 */
export function markRules(
  { holdsBlocked, holdsDone, paths, sha256, takenBack }: Marked,
  state: State,
): MarkRules {
  const attempt = openIterations(state).length > 0;
  const changed = paths.length === 0 || (sha256 !== state.trackerSha256 && !attempt);
  return {
    holdsBlocked,
    imports: state.imports,
    reopens: holdsDone && changed,
    takenBack: new Set([
      ...takenBack.map(({ taskId }) => taskId),
      // A mark that was never written to the file wasn't removed.
      ...(paths.length === 0
        ? []
        : Object.entries(state.tasks).flatMap(([id, { unmarked }]) => (unmarked ? [id] : []))),
    ]),
  };
}

/**
 * Returns a task's status: done tasks are those that are done for ralph, and other done marks give `unverified`. If the
 * tracker can mark tasks as blocked and you removed that mark, the task is open. Stale marks don't count.
 */
export function overlayStatus(task: Task, taskState: TaskState | undefined, rules: MarkRules): TaskStatus {
  if (task.status === 'done') {
    if (rules.imports || isDoneHere(task, taskState)) return 'done';
    if (taskState?.staleMark !== 'done') return 'unverified';
  }
  if (taskState === undefined) return task.status;
  const reopens = rules.reopens && !rules.takenBack.has(task.id);
  if (isDoneHere(task, taskState) && !reopens) return 'done';
  if (taskState.parked) return 'parked';
  const stale = task.status === taskState.staleMark && taskState.blocked === null;
  if (task.status === 'parked' || (task.status === 'blocked' && !stale)) return task.status;
  if (taskState.blocked !== null && !(rules.holdsBlocked && reopens)) return 'blocked';
  if (taskState.held) return 'parked';
  if (taskState.inProgress) return 'in_progress';
  return stale || task.status === 'done' ? 'open' : task.status;
}

/**
 * Returns whether this task is done for ralph. A later task with the same id has another title, so titles are compared,
 * without case, spaces and punctuation.
 */
export function isDoneHere(
  { title }: Pick<Task, 'title'>,
  taskState: Pick<TaskState, 'doneBy'> | undefined,
): boolean {
  const doneBy = taskState?.doneBy ?? null;
  return doneBy !== null && (doneBy.title === title || plainWords(doneBy.title) === plainWords(title));
}
