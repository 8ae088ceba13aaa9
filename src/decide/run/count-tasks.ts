import type { Task } from '../../domain/task.ts';

/** How many tasks stand how; `open` are all that are neither done nor blocked. */
export function countTasks(tasks: readonly Task[]) {
  const count = (status: Task['status']) => tasks.filter((task) => task.status === status).length;
  const done = count('done');
  const blocked = count('blocked');
  return { total: tasks.length, done, blocked, open: tasks.length - done - blocked };
}
