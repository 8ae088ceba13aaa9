import type { Task } from '../../domain/task.ts';

/** How many tasks stand how; `unverified` are ticked and not verified, `open` all that are left. */
export function countTasks(tasks: readonly Task[]) {
  const count = (status: Task['status']) => tasks.filter((task) => task.status === status).length;
  const [done, unverified, blocked] = [count('done'), count('unverified'), count('blocked')];
  return { total: tasks.length, done, unverified, blocked, open: tasks.length - done - unverified - blocked };
}
