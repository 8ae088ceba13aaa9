import type { AwayNow, JobState } from '../../domain/ports/fleet.ts';

type Seen = {
  /** The commit that is the job. */
  readonly job: string;
  /** How far it is by the remote, which alone is the truth. */
  readonly now: AwayNow;
  /** What the engine knows of it, asked before. */
  readonly state: JobState;
  readonly isCancelled: boolean;
  /** Its account is at its limit, so nothing is to start with it. */
  readonly isLimited: boolean;
};

/**
 * What follows for an attempt that was offered to workers.
 *
 * - `take`: its result is there.
 * - `queue`: no worker has it, and the engine doesn't know it (any more).
 * - `wait`: it is queued or worked at; or the engine is away, and its worker continues.
 * - `cancelled`: no worker has it, and none is to.
 * - `limited`: no worker has it, and none is to before its account can be used.
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
