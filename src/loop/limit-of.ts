import { idsOfNames } from 'ralph-task-lists';
import { iterationLimit } from '../decide/index.ts';
import type { Task } from '../domain/task.ts';
import type { LoopContext, Progress } from './context.ts';

/** Returns ids of the tasks that the run is limited to; `null`: all tasks. */
export function scopeOf({ only, retry }: LoopContext, tasks: readonly Task[]): ReadonlySet<string> | null {
  const asked =
    only === null ? (retry?.unblockings.map((one) => one.taskId) ?? null) : idsOfNames(tasks, only);
  return asked === null ? null : new Set(asked);
}

export function limitOf(
  context: LoopContext,
  scope: ReadonlySet<string> | null,
  { tasks, startedTasks }: Pick<Progress, 'tasks' | 'startedTasks'>,
): number {
  const { maxIterations, config, retry, workflow, ports, run } = context;
  if (maxIterations !== null) return maxIterations;
  const { state } = ports.store;
  const since = state.runs.findLast((one) => one.run === run)?.startedAt ?? null;
  const unblocked = Object.entries(state.tasks).flatMap(([id, { history }]) =>
    since === null || !(scope?.has(id) ?? true) ? [] : history.filter(({ at }) => at > since),
  );
  // A retry both starts and unblocks its tasks, so they are counted only once.
  const retried = retry?.unblockings.map(({ taskId }) => taskId) ?? [];
  return iterationLimit({
    tasks,
    scope,
    startedTasks: new Set([...startedTasks.keys(), ...retried]),
    unblocked: Math.max(0, unblocked.length - retried.length),
    attempts: Math.max(config.loop.max_attempts_per_task, retry?.attempts ?? 0, workflow?.maxCycles ?? 0),
  });
}
