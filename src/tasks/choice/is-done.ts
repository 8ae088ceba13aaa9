import type { TaskState } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { plainWords } from '../assign-ids.ts';

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
