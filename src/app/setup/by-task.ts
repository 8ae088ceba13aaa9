import type { Entry } from '../../domain/entry.ts';
import type { Follower } from '../../domain/ports.ts';

/** Called with each entry. @param taskId Task of the entry, if several tasks are worked on at once. */
export type OnEntry = (entry: Entry, taskId?: string) => void;

/**
 * Returns a follower that adds the task to each entry: the task that the entry names, otherwise the worker's current
 * task.
 */
export function byTask(onEntry: OnEntry): Follower {
  const tasks = new Map<number, string>();
  return (entry, worker) => {
    if (worker === null) return onEntry(entry);
    if (entry.type === 'iteration_started') tasks.set(worker, entry.taskId);
    const named = 'taskId' in entry ? entry.taskId : null;
    onEntry(entry, named ?? tasks.get(worker));
  };
}
