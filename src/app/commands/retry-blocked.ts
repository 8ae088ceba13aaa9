import { unblockingOf } from '../../blocked/index.ts';
import type { Unblocking } from '../../domain/blocked.ts';
import { EXIT } from '../../domain/exit.ts';
import { type CommandResult, failure, success } from '../result.ts';
import { type BlockedEntry, filtered, type OpenedBlocked, openBlocked } from './blocked-tasks.ts';
import { type RunInput, run } from './run.ts';

export type RetryInput = Omit<RunInput, 'task' | 'maxIterations' | 'dryRun' | 'retry'> & {
  readonly filter: string | null;
  /** Of each task. */
  readonly maxAttempts: number;
};

type NotRetried = {
  readonly id: string;
  readonly strategy: string;
  readonly why: string;
  readonly command: string;
};

/**
 * `ralph retry-blocked`: unblocks by the suggested strategy and runs just those tasks. A task whose strategy asks
 * something of a person, or that waits for another one, is not touched, and said so.
 */
export async function retryBlocked(input: RetryInput): Promise<CommandResult> {
  const { filter, maxAttempts, ...rest } = input;
  if (maxAttempts < 1) return failure('--max-attempts must be at least 1.', 'ralph retry-blocked');
  const opened = await openBlocked(input);
  if (!opened.ok) return opened;
  const chosen = filter === null ? { ok: true as const, entries: opened.blocked } : filtered(opened, filter);
  if (!chosen.ok) return chosen;
  const { unblockings, notRetried } = plan(opened, chosen.entries);
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
    ...rest,
    // A retry that fails so often is blocked again, and not taken up by the next run as if nothing had been.
    flags: { ...input.flags, 'loop.max_attempts_per_task': maxAttempts },
    task: null,
    maxIterations: null,
    dryRun: false,
    retry: { unblockings, attempts: maxAttempts },
  });
  return result.ok ? { ...result, data: { ...result.data, ...lists } } : result;
}

function plan({ project, tasks }: OpenedBlocked, entries: readonly BlockedEntry[]) {
  const agent = project.config.loop.agent;
  const unblockings: Unblocking[] = [];
  const notRetried: NotRetried[] = [];
  const done = new Set(tasks.filter(({ status }) => status === 'done').map(({ id }) => id));
  const asked = new Set(entries.map(({ task }) => task.id));
  for (const { task, facts, suggestion } of entries) {
    const { strategy, reason, first, command } = suggestion;
    const waits = task.dependsOn.filter((id) => !done.has(id) && !asked.has(id));
    const unblocking = unblockingOf(facts, suggestion, agent);
    if (unblocking !== null && waits.length === 0) unblockings.push(unblocking);
    else {
      const why = waits.length > 0 ? `it waits for ${waits.join(', ')}` : (first ?? reason);
      notRetried.push({ id: task.id, strategy, why, command });
    }
  }
  return { unblockings, notRetried };
}
