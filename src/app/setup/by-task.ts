import type { Entry } from '../../domain/entry.ts';
import type { Follower } from '../../domain/ports.ts';

/** @param taskId The one that it is about, where several are worked at at once. */
export type OnEntry = (entry: Entry, taskId?: string) => void;

/** Says of each entry which task it is about: the one that it names, or that its worker is at. */
export function byTask(onEntry: OnEntry): Follower {
  const tasks = new Map<number, string>();
  return (entry, worker) => {
    if (worker === null) return onEntry(entry);
    if (entry.type === 'iteration_started') tasks.set(worker, entry.taskId);
    const named = 'taskId' in entry ? entry.taskId : null;
    onEntry(entry, named ?? tasks.get(worker));
  };
}
