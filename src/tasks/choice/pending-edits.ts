import type { TaskEdit } from '../../domain/records/edits.ts';
import type { State } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { own } from '../../lib/own.ts';
import { isDoneHere } from './is-done.ts';

/** An edit of a task that waits for you: the task's own text, and what it is now; `null`: out of the list. */
export type PendingEdit = TaskEdit & { readonly now: Task | null };

/** What a task asks for; its place, priority, dependencies and marks say only when. */
const TEXT = [
  'title',
  'description',
  'acceptance',
  'kind',
  'expectedPaths',
  'complexity',
  'timeoutSeconds',
  'constraints',
  'boundaries',
  'goals',
  'gates',
  'owner',
  'removalApprovedBy',
  'notes',
] as const satisfies readonly (keyof Task)[];

/** The parts of a task's text that differ. */
export function changedText(before: Task, now: Task): readonly (typeof TEXT)[number][] {
  return TEXT.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(now[key]));
}

/**
 * Edits of tasks that don't count yet: those that you took back since, and those of tasks that are done, ask for nothing.
 *
 * @param tasks With overlaid status.
 */
export function pendingEdits(tasks: readonly Task[], state: Pick<State, 'edits' | 'tasks'>): PendingEdit[] {
  const edits = Object.entries(state.edits.tasks);
  if (edits.length === 0) return [];
  const now = new Map(tasks.map((task) => [task.id, task]));
  return edits.flatMap(([id, edit]): PendingEdit[] => {
    const task = now.get(id) ?? null;
    if (task === null) return isDoneHere(edit.before, own(state.tasks, id)) ? [] : [{ ...edit, now: null }];
    return task.status === 'done' || changedText(edit.before, task).length === 0
      ? []
      : [{ ...edit, now: task }];
  });
}

/** The tasks with those that wait for you because of an edit: one that you took out of the list is still among them. */
export function holdEdited(tasks: readonly Task[], state: Pick<State, 'edits' | 'tasks'>): readonly Task[] {
  const pending = pendingEdits(tasks, state);
  if (pending.length === 0) return tasks;
  const held = new Set(pending.map(({ before }) => before.id));
  const gone = pending.filter(({ now }) => now === null).map(({ before }) => before);
  return [...tasks, ...gone].map((task) => (held.has(task.id) ? { ...task, status: 'parked' } : task));
}
