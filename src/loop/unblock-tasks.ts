import {
  type Ending,
  isBlocked,
  isReached,
  planAutoUnblock,
  strategyFacts,
  unblockRecords,
} from '../decide/index.ts';
import type { AutoUnblock, Unblocking } from '../domain/records/blocked.ts';
import type { ChoiceFacts } from '../domain/records/choice.ts';
import { taskStateOf } from '../domain/records/state.ts';
import type { Task } from '../domain/task.ts';
import type { LoadedTracker, LoopContext } from './context.ts';

/** Unblocks tasks. Their marks in the task list change when it is next read. */
export function unblockTasks(
  { ports }: Pick<LoopContext, 'ports'>,
  unblockings: readonly Unblocking[],
  { tasks: listed }: LoadedTracker,
  { automatic, fresh }: { readonly automatic: boolean; readonly fresh: boolean },
): void {
  const { store, clock } = ports;
  store.commit((state) => {
    const blocked = unblockings.filter(({ taskId }) => isBlocked(state, listed, taskId));
    return unblockRecords(blocked, { listed, automatic, fresh, now: clock.now() });
  });
}

type AutoOptions = {
  readonly ending: Ending;
  readonly iterations: number;
  readonly tracker: LoadedTracker;
  readonly tasks: readonly Task[];
  readonly facts: ChoiceFacts;
};

/**
 * Unblocks tasks that only need more time (`[unblock] auto`). Returns `null` if there are none, so that the run ends.
 * Each task is unblocked at most `max_auto_unblock_attempts` times until it is done, over all runs.
 */
export function autoUnblock(context: LoopContext, options: AutoOptions): AutoUnblock | null {
  const { config, only, retry, maxIterations, ports } = context;
  const { ending, iterations, tracker, tasks, facts } = options;
  const { runUntil, now } = facts.availability;
  const isSpent = maxIterations !== null && iterations >= maxIterations;
  if (!config.unblock.auto || retry !== undefined || isSpent || isReached(runUntil, now)) return null;
  if (ending.kind !== 'all_blocked' && ending.kind !== 'awaiting_human') return null;
  const asked = new Set(facts.asked.map(({ id }) => id));
  const { state } = ports.store;
  const limit = config.unblock.max_auto_unblock_attempts;
  const given = { state, config, tracker: tracker.name, exists: ports.exists };
  const candidates = tasks
    .filter(({ id, status }) => status === 'blocked' && (only === null || asked.has(id)))
    .map((task) => ({
      automatic: taskStateOf(state, task.id).unblocks.automatic,
      facts: strategyFacts(task, given),
    }))
    .filter(({ automatic, facts }) => automatic < limit && facts.blocked !== null);
  const unblocked = planAutoUnblock({ limit, candidates });
  if (unblocked.length === 0) return null;
  unblockTasks(context, unblocked, tracker, { automatic: true, fresh: false });
  return { limit, candidates, unblocked };
}
