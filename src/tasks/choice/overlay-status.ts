import type { TaskState } from '../../domain/state.ts';
import type { Task, TaskStatus } from '../../domain/task.ts';

/**
 * A task's status: what ralph knows, laid over what the tracker says. Done in the tracker is done. Where the tracker
 * itself can say "blocked", a task that it calls open is open whatever ralph remembers: you removed the mark. A
 * mark of a task that was unblocked since counts no more.
 */
export function overlayStatus(
  task: Task,
  taskState: TaskState | undefined,
  holdsBlocked: boolean,
): TaskStatus {
  if (task.status === 'done' || taskState === undefined) return task.status;
  if (taskState.parked) return 'parked';
  const stale = task.status === 'blocked' && taskState.staleMark && taskState.blocked === null;
  if (task.status === 'parked' || (task.status === 'blocked' && !stale)) return task.status;
  if (taskState.blocked !== null && !holdsBlocked) return 'blocked';
  if (taskState.inProgress) return 'in_progress';
  return stale ? 'open' : task.status;
}
