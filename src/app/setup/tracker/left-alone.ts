import type { Task } from '../../../domain/task.ts';

/** Returns the task, marked as not to be started if it is put off, or if someone has it and such tasks are skipped. */
export function leftAlone(task: Task, skipsAssigned: boolean, now: string): Task {
  const { status, assignee, notBefore } = task;
  if (status !== 'open' && status !== 'in_progress') return task;
  if (notBefore !== null && Date.parse(notBefore) > Date.parse(now))
    return { ...task, status: 'parked', left: { kind: 'later', of: notBefore } };
  return assignee === null || !skipsAssigned
    ? task
    : { ...task, status: 'parked', left: { kind: 'assigned', of: assignee } };
}
