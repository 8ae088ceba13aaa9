import type { Task } from '../../domain/task.ts';

/** Iterations for each task where you set no limit of your own. */
const FOR_EACH = 3;

type LimitFacts = {
  /** With overlaid status. */
  readonly tasks: readonly Pick<Task, 'id' | 'status'>[];
  /** Ids of those that the run is limited to; `null`: all. */
  readonly scope: ReadonlySet<string> | null;
  /** Tasks of which the run began an attempt. */
  readonly begun: ReadonlySet<string>;
  /** How often a task was unblocked since the run began: each gets another series of attempts. */
  readonly unblocked: number;
  /** Attempts that one task may take. */
  readonly attempts: number;
};

/**
 * Iterations that a run may take for which you set no limit: three for each task that it could start, those that are added while it
 * runs among them, or as many as a task may take attempts where these are more.
 */
export function iterationLimit({ tasks, scope, begun, unblocked, attempts }: LimitFacts): number {
  const open = tasks.filter(
    ({ id, status }) =>
      (scope?.has(id) ?? true) && (status === 'open' || status === 'in_progress' || begun.has(id)),
  );
  return (open.length + unblocked) * Math.max(FOR_EACH, attempts);
}
