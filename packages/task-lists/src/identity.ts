import { NOT_THERE, plainWords, similarity } from './assign-ids.ts';
import type { RememberedId, TaskIdentity } from './task.ts';

/** Smallest similarity of titles, 0 to 1, at which a task counts as the same task with a new title. */
const ALIKE = 0.4;

/**
 * Returns whether a task is the one that had its id before. Tools reuse ids; on the other hand, a task may be reworded
 * and its file renamed.
 */
export function isSameTask(before: TaskIdentity, now: TaskIdentity): boolean {
  const [isSameFile, isSameTitle] = [
    before.file === now.file,
    plainWords(before.title) === plainWords(now.title),
  ];
  if (isSameFile && isSameTitle) return true;
  const isAlike = similarity(before.title, now.title) >= ALIKE;
  if (before.created === null || now.created === null) return isSameFile ? isAlike : isSameTitle;
  return before.created === now.created && (isSameFile || isAlike);
}

/**
 * Returns the memory of ids after an edit: a renamed task without an id in the list keeps its id under the new title,
 * and the id of a removed one goes to no other task that has the same title.
 */
export function idsAfter(
  remembered: readonly RememberedId[],
  edit: { readonly kind: 'retitle' | 'remove'; readonly taskId: string; readonly title?: string },
): RememberedId[] {
  return remembered.map((one) => {
    if (one.id !== edit.taskId) return one;
    return edit.kind === 'remove' ? { ...one, index: NOT_THERE } : { ...one, title: edit.title ?? one.title };
  });
}
