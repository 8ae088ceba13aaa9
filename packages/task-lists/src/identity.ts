import { plainWords, similarity } from './assign-ids.ts';
import type { TaskIdentity } from './task.ts';

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
