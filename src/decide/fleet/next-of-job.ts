import type { AwayNow, JobState } from '../../domain/ports/fleet.ts';

type Seen = {
  readonly job: string;
  /** State of the job on the remote, which counts more than the engine's. */
  readonly now: AwayNow;
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
  now,
  state,
  isCancelled,
  isLimited,
}: Seen): 'take' | 'queue' | 'wait' | 'cancelled' | 'limited' | 'superseded' {
  if (now.kind === 'none' || now.job !== job) return 'superseded';
  if (now.kind === 'delivered') return 'take';
  if (isCancelled && (now.kind === 'offered' || state === 'gone')) return 'cancelled';
  if (isLimited && (now.kind === 'offered' || state === 'waiting' || state === 'gone')) return 'limited';
  return state === 'gone' ? 'queue' : 'wait';
}
