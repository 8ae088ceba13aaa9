import type { Task } from '../../domain/task.ts';

/** Number of iterations for each task if you set no limit. */
const FOR_EACH = 3;

type LimitFacts = {
  readonly tasks: readonly Pick<Task, 'id' | 'status'>[];
  /** Ids of the tasks that the run is limited to; `null`: all tasks. */
  readonly scope: ReadonlySet<string> | null;
  readonly startedTasks: ReadonlySet<string>;
  /** Number of unblocks since the run began. Each gives a task another series of attempts. */
  readonly unblocked: number;
  readonly attempts: number;
};

/**
 * Returns the limit of a run's iterations: for each task that could start, three or its allowed attempts, whichever is
 * more. Tasks added meanwhile count, too.
 */
export function iterationLimit({ tasks, scope, startedTasks, unblocked, attempts }: LimitFacts): number {
  const open = tasks.filter(
    ({ id, status }) =>
      (scope?.has(id) ?? true) && (status === 'open' || status === 'in_progress' || startedTasks.has(id)),
  );
  return (open.length + unblocked) * Math.max(FOR_EACH, attempts);
}
