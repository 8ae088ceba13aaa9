import { openRequestsOf } from '../../domain/human/state.ts';
import type { Unblocking } from '../../domain/records/blocked.ts';
import type { JournalBody } from '../../domain/records/journal.ts';
import { type State, taskStateOf } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';

type UnblockOptions = {
  /** As the task list says it, without what ralph knows. */
  readonly listed: readonly Task[];
  readonly automatic: boolean;
  /** Begin without the work that is kept. */
  readonly fresh: boolean;
  /** ISO 8601 UTC. */
  readonly now: string;
};

/** Whether a task is blocked or parked by what ralph knows, or by a mark in the task list that still counts. */
export function isBlocked(state: State, listed: readonly Task[], taskId: string): boolean {
  const { blocked, staleMark, parked, decisions } = taskStateOf(state, taskId);
  // What waits at a human gate is decided there.
  if (openRequestsOf(state.human, taskId).length > 0) return false;
  const isHeld = blocked !== null || parked || decisions.manual !== null;
  return isHeld || (staleMark !== 'blocked' && hasMark(listed, taskId));
}

function hasMark(listed: readonly Task[], taskId: string): boolean {
  return listed.some(({ id, status }) => id === taskId && status === 'blocked');
}

/** What the journal gets for tasks that are unblocked: each with its guidance. The mark in the list follows later. */
export function unblockRecords(unblockings: readonly Unblocking[], options: UnblockOptions): JournalBody[] {
  const { listed, automatic, fresh, now } = options;
  return unblockings.flatMap(({ taskId, strategy, reason, timeoutSeconds, guidance }): JournalBody[] => [
    {
      type: 'task_unblocked',
      taskId,
      reason,
      timeoutSeconds,
      strategy,
      automatic,
      marked: hasMark(listed, taskId),
      fresh,
    },
    ...(guidance === null
      ? []
      : [
          {
            type: 'feedback_added' as const,
            entry: {
              at: now,
              taskId,
              iteration: null,
              kind: 'guidance',
              source: automatic ? ('suggestion' as const) : ('person' as const),
              text: guidance,
            },
          },
        ]),
  ]);
}
