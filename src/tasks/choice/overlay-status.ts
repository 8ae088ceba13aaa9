import type { TakenBack } from '../../domain/records/marks.ts';
import { openIterations, type State, type TaskState } from '../../domain/records/state.ts';
import type { Task, TaskStatus } from '../../domain/task.ts';
import { plainWords } from '../assign-ids.ts';

/** How the marks of a tracker are read. */
export type MarkRules = {
  /** Whether the tracker can hold the status `blocked` itself. */
  readonly holdsBlocked: boolean;
  /** What the tracker calls done was done before ralph came (`State.imports`). */
  readonly imports: boolean;
  /** A done or blocked task without its mark was opened again by you; else the mark is still to be set. */
  readonly reopens: boolean;
  /** Tasks whose missing mark decides nothing. */
  readonly takenBack: ReadonlySet<string>;
};

/** What is known of a tracker that decides how its marks are read. */
type Marked = {
  readonly holdsBlocked: boolean;
  readonly holdsDone: boolean;
  readonly paths: readonly string[];
  readonly sha256: string;
  readonly takenBack: readonly TakenBack[];
};

/** A file that changed since ralph wrote it was changed by you, unless an attempt is open; a service always by you. */
export function markRules(
  { holdsBlocked, holdsDone, paths, sha256, takenBack }: Marked,
  state: State,
): MarkRules {
  const attempt = openIterations(state).length > 0;
  const changed = paths.length === 0 || (sha256 !== state.trackerSha256 && !attempt);
  return {
    ...{ holdsBlocked, imports: state.imports, reopens: holdsDone && changed },
    takenBack: new Set(takenBack.map(({ taskId }) => taskId)),
  };
}

/**
 * A task's status: done is what ralph knows as done. What the tracker alone calls done is `unverified`. Where the tracker
 * itself can say "blocked" and you removed the mark, the task is open whatever ralph remembers. A mark that is stale no
 * longer counts.
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
 * Whether ralph knows this very task as done: a task that took the id of a done one has another title. Case, spaces and
 * punctuation of the title don't count.
 */
export function isDoneHere(
  { title }: Pick<Task, 'title'>,
  taskState: Pick<TaskState, 'doneBy'> | undefined,
): boolean {
  const doneBy = taskState?.doneBy ?? null;
  return doneBy !== null && (doneBy.title === title || plainWords(doneBy.title) === plainWords(title));
}
