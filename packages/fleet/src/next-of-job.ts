import type { JobState } from '../index.d.ts';
import type { RemoteAttemptState } from './protocol.ts';

type ObservedJob = {
  readonly job: string;
  /** State of the job on the remote, which counts more than the engine's. */
  readonly current: RemoteAttemptState;
  /** State of the job in the engine, which was read before the remote. */
  readonly state: JobState;
  readonly isCancelled: boolean;
  readonly isLimited: boolean;
};

/**
 * Returns the next step for an attempt that was offered to workers.
 * - `take`: its result has arrived.
 * - `queue`: no worker has the job, and the engine doesn't know it.
 * - `wait`: the job is queued or running; or the engine can't be reached, and the worker continues.
 * - `cancelled`: no worker has the job, and none may take it.
 * - `limited`: no worker has the job, and none may take it until the account can be used.
 * - `superseded`: another coordinator has offered the task.
 */
export function nextOfJob({
  job,
  current,
  state,
  isCancelled,
  isLimited,
}: ObservedJob): 'take' | 'queue' | 'wait' | 'cancelled' | 'limited' | 'superseded' {
  if (current.kind === 'none' || current.job !== job) return 'superseded';
  if (current.kind === 'delivered') return 'take';
  if (isCancelled && (current.kind === 'offered' || state === 'gone')) return 'cancelled';
  if (isLimited && (current.kind === 'offered' || state === 'waiting' || state === 'gone')) return 'limited';
  return state === 'gone' ? 'queue' : 'wait';
}
