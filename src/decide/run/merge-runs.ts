import type { RunSummary, TaskWork } from '../../domain/records/state.ts';
import { addSpent } from '../../domain/spend.ts';
import { addSummary } from '../../lib/actions/review-record.ts';

/** Several runs as one, oldest first: how it ended is how the newest did. */
export function mergeRuns(runs: readonly [RunSummary, ...RunSummary[]]): RunSummary {
  const [first, ...rest] = runs;
  return rest.reduce(
    (before, run) => ({
      ...run,
      startedAt: before.startedAt,
      iterations: before.iterations + run.iterations,
      done: [...new Set([...before.done, ...run.done])],
      blocked: [...new Set([...before.blocked, ...run.blocked])],
      work: mergeWork(before.work, run.work),
      ...addSpent(before, run),
      interventions: before.interventions + run.interventions,
      reviews: addSummary(before.reviews, run.reviews),
      skippedCommits: [
        ...before.skippedCommits.filter(({ taskId }) =>
          run.skippedCommits.every((one) => one.taskId !== taskId),
        ),
        ...run.skippedCommits,
      ],
      workflow: run.workflow ?? before.workflow,
    }),
    first,
  );
}

function mergeWork(before: readonly TaskWork[], after: readonly TaskWork[]): TaskWork[] {
  const later = new Map(after.map((work) => [work.taskId, work]));
  const known = before.map((work) => {
    const again = later.get(work.taskId);
    later.delete(work.taskId);
    return again === undefined ? work : addWork(work, again);
  });
  return [...known, ...later.values()];
}

function addWork(before: TaskWork, after: TaskWork): TaskWork {
  return {
    ...after,
    attempts: before.attempts + after.attempts,
    durationMs: before.durationMs + after.durationMs,
    agentMs: before.agentMs + after.agentMs,
    ...addSpent(before, after),
    falseClaims: before.falseClaims + after.falseClaims,
    commits: [...new Set([...before.commits, ...after.commits])],
  };
}

/** How long a run took, by the clock; of one that was cut off until it was last heard of. */
export function lastedMs({ startedAt, endedAt, activeAt }: RunSummary): number {
  return Math.max(0, Date.parse(endedAt ?? activeAt) - Date.parse(startedAt));
}
