import type { TaskState } from '../domain/state.ts';
import type { Task, TaskStatus } from '../domain/task.ts';

/**
 * A task's status: what ralph knows, laid over what the tracker says. Done in the tracker is done. Where the tracker
 * itself can say "blocked", a task that it calls open is open whatever ralph remembers: a person took the mark away.
 */
export function overlayStatus(
  task: Task,
  taskState: TaskState | undefined,
  holdsBlocked: boolean,
): TaskStatus {
  if (task.status === 'done' || taskState === undefined) return task.status;
  if (taskState.parked) return 'parked';
  if (task.status === 'blocked' || task.status === 'parked') return task.status;
  if (taskState.blocked !== null && !holdsBlocked) return 'blocked';
  return taskState.inProgress ? 'in_progress' : task.status;
}
