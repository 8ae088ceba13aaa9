import { EXIT } from '../../domain/exit.ts';
import type { Unblocking } from '../../domain/records/blocked.ts';
import { unblockingOf } from '../../respond/blocked/index.ts';
import { type DataOf, failure, success } from '../result.ts';
import { type BlockedTask, blockedTasks, filtered } from '../setup/blocked-tasks.ts';
import { inTaskList, type TaskList } from '../setup/workspace.ts';
import { type LoopInput, run } from './run.ts';

export type RetryInput = LoopInput & {
  readonly filter: string | null;
  /** Of each task. */
  readonly maxAttempts: number;
  /** Without the work that is kept. */
  readonly fresh: boolean;
};

export type RetryResult = DataOf<typeof retryBlocked>;

/**
 * `ralph retry-blocked`: unblocks by the suggested strategy and runs just those tasks. A task whose strategy needs you
 * first, or that waits for another one, is left alone and named.
 */
export async function retryBlocked({ filter, maxAttempts, fresh, ...input }: RetryInput) {
  if (maxAttempts < 1) return failure('--max-attempts must be at least 1.', 'ralph retry-blocked');
  const planned = await inTaskList({ ...input, willRun: true }, (list) => {
    const blocked = blockedTasks(list);
    const chosen = filter === null ? { ok: true as const, chosen: blocked } : filtered(blocked, filter, list);
    return chosen.ok ? { ok: true as const, ...plan(list, chosen.chosen) } : chosen;
  });
  if (!planned.ok) return planned;
  const { unblockings, notRetried } = planned;
  const lists = {
    retried: unblockings.map(({ taskId, strategy, timeoutSeconds }) => ({
      id: taskId,
      strategy,
      timeout_seconds: timeoutSeconds,
    })),
    not_retried: notRetried,
  };
  if (unblockings.length === 0) return success(lists, notRetried.length === 0 ? EXIT.ok : EXIT.allBlocked);
  const result = await run({
    ...input,
    // A retry that fails so often is blocked again, and not started by the next run as if nothing had been.
    flags: { ...input.flags, 'loop.max_attempts_per_task': maxAttempts },
    ...{ tasks: null, model: null, maxIterations: null, until: null, notifyEnd: true },
    retry: { unblockings, attempts: maxAttempts, fresh },
  });
  return result.ok ? { ...result, data: { ...result.data, ...lists } } : result;
}

function plan({ project, tasks }: TaskList, chosen: readonly BlockedTask[]) {
  const { agent } = project.config.loop;
  const unblockings: Unblocking[] = [];
  const notRetried: { id: string; strategy: string; why: string; command: string }[] = [];
  const settled = new Set([
    ...tasks.filter(({ status }) => status === 'done').map(({ id }) => id),
    ...chosen.map(({ task }) => task.id),
  ]);
  for (const { task, facts, suggestion } of chosen) {
    const { strategy, reason, first, command } = suggestion;
    const waits = task.dependsOn.filter((id) => !settled.has(id));
    const unblocking = unblockingOf(facts, suggestion, agent);
    if (unblocking !== null && waits.length === 0) unblockings.push(unblocking);
    else {
      const why = waits.length > 0 ? `it waits for ${waits.join(', ')}` : (first ?? reason);
      notRetried.push({ id: task.id, strategy, why, command });
    }
  }
  return { unblockings, notRetried };
}
