import { iterationLimit } from '../decide/index.ts';
import type { Task } from '../domain/task.ts';
import { idsAsked } from '../tasks/index.ts';
import type { LoopContext, Progress } from './context.ts';

/** Ids of the tasks that the run is limited to; `null`: all. */
export function scopeOf({ only, retry }: LoopContext, tasks: readonly Task[]): ReadonlySet<string> | null {
  const asked = only === null ? (retry?.unblockings.map((one) => one.taskId) ?? null) : idsAsked(tasks, only);
  return asked === null ? null : new Set(asked);
}

/** Iterations that the run may take: as many as you said, else so many for each of its tasks. */
export function limitOf(context: LoopContext, { tasks, begun }: Pick<Progress, 'tasks' | 'begun'>): number {
  const { maxIterations, config, retry, workflow, ports, run } = context;
  if (maxIterations !== null) return maxIterations;
  const { state } = ports.store;
  const since = state.runs.findLast((one) => one.run === run)?.startedAt ?? '';
  const unblocked = Object.values(state.tasks).flatMap(({ history }) =>
    history.filter(({ at }) => at > since),
  );
  return iterationLimit({
    ...{ tasks, scope: scopeOf(context, tasks), begun: new Set(begun.keys()) },
    unblocked: since === '' ? 0 : unblocked.length,
    attempts: Math.max(config.loop.max_attempts_per_task, retry?.attempts ?? 0, workflow?.maxCycles ?? 0),
  });
}
