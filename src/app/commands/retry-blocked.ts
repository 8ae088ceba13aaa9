import { unblockingOf } from '../../decide/index.ts';
import { EXIT } from '../../domain/exit.ts';
import type { StrategyFacts, Unblocking } from '../../domain/records/blocked.ts';
import { type DataOf, failure, success } from '../result.ts';
import { type BlockedTask, blockedTasks, filtered } from '../setup/blocked-tasks.ts';
import { readTiming, timingWarnings } from '../setup/unblock-timing.ts';
import { inTaskList, type TaskList } from '../setup/workspace.ts';
import { type LoopInput, run } from './run.ts';

export type RetryInput = LoopInput & {
  readonly filter: string | null;
  readonly maxAttempts: number;
  /** Whether tasks start without their saved work. */
  readonly fresh: boolean;
  /** Factor for a task's longest time limit so far; `null`: the suggested time limit is used. */
  readonly timeoutMultiplier: string | null;
  readonly dryRun: boolean;
};

export type RetryResult = DataOf<typeof retryBlocked>;

/** Unblocks tasks as suggested and runs only those. Tasks that need you or wait for others are just named. */
export async function retryBlocked({ filter, maxAttempts, fresh, dryRun, ...input }: RetryInput) {
  if (maxAttempts < 1) return failure('--max-attempts must be at least 1.', 'ralph retry-blocked');
  const { timeoutMultiplier } = input;
  const timing = readTiming('retry-blocked', { timeout: null, timeoutMultiplier });
  if (!timing.ok) return timing;
  const planned = await inTaskList({ ...input, willRun: true }, (list) => {
    const blocked = blockedTasks(list);
    const chosen = filter === null ? { ok: true as const, chosen: blocked } : filtered(blocked, filter, list);
    if (!chosen.ok) return chosen;
    const { unblockings, notRetried } = plan(list, chosen.chosen);
    const warnings: string[] = [];
    const timed = unblockings.map(({ facts, unblocking }) => {
      const timeoutSeconds = timing.timeoutFor(facts.blocked?.attempts ?? []);
      warnings.push(...timingWarnings(facts, timeoutSeconds, timeoutMultiplier));
      return timeoutSeconds === null ? unblocking : { ...unblocking, timeoutSeconds };
    });
    return { ok: true as const, unblockings: timed, notRetried, warnings };
  });
  if (!planned.ok) return planned;
  const { unblockings, notRetried, warnings } = planned;
  const lists = {
    retried: unblockings.map(({ taskId, strategy, timeoutSeconds }) => ({
      id: taskId,
      strategy,
      timeout_seconds: timeoutSeconds,
    })),
    not_retried: notRetried,
    warnings,
    dry_run: dryRun,
  };
  if (unblockings.length === 0) return success(lists, notRetried.length === 0 ? EXIT.ok : EXIT.allBlocked);
  if (dryRun) return success(lists);
  const result = await run({
    ...input,
    // The limit blocks a task again after this many failures; otherwise the next run would start it again.
    flags: { ...input.flags, 'loop.max_attempts_per_task': maxAttempts },
    tasks: null,
    model: null,
    maxIterations: null,
    until: null,
    notifyEnd: true,
    retry: { unblockings, attempts: maxAttempts, fresh },
  });
  return result.ok ? { ...result, data: { ...result.data, ...lists } } : result;
}

function plan({ project, tasks }: TaskList, chosen: readonly BlockedTask[]) {
  const { agent } = project.config.loop;
  const unblockings: { readonly facts: StrategyFacts; readonly unblocking: Unblocking }[] = [];
  const notRetried: { id: string; strategy: string; why: string; command: string }[] = [];
  const settled = new Set([
    ...tasks.filter(({ status }) => status === 'done').map(({ id }) => id),
    ...chosen.map(({ task }) => task.id),
  ]);
  for (const { task, facts, suggestion } of chosen) {
    const { strategy, reason, first, command } = suggestion;
    const waits = task.dependsOn.filter((id) => !settled.has(id));
    const unblocking = unblockingOf(facts, suggestion, agent);
    if (unblocking !== null && waits.length === 0) unblockings.push({ facts, unblocking });
    else {
      const why = waits.length > 0 ? `it waits for ${waits.join(', ')}` : (first ?? reason);
      notRetried.push({ id: task.id, strategy, why, command });
    }
  }
  return { unblockings, notRetried };
}
