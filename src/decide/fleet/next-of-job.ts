import type { AwayNow, JobState } from '../../domain/ports/fleet.ts';

type Seen = {
  /** The commit that is the job. */
  readonly job: string;
  /** How far it is by the remote, which alone is the truth. */
  readonly now: AwayNow;
  /** What the engine knows of it, asked before. */
  readonly state: JobState;
  readonly isCancelled: boolean;
};

/**
 * What follows for an attempt that was offered to workers.
 *
 * - `take`: its result is there.
 * - `queue`: no worker has it, and the engine doesn't know it (any more).
 * - `wait`: it is queued or worked at; or the engine is away, and its worker continues.
 * - `cancelled`: no worker has it, and none is to.
 * - `superseded`: another coordinator has offered the task.
 */
export function nextOfJob({
  job,
  now,
  state,
  isCancelled,
}: Seen): 'take' | 'queue' | 'wait' | 'cancelled' | 'superseded' {
  if (now.kind === 'none' || now.job !== job) return 'superseded';
  if (now.kind === 'delivered') return 'take';
  if (isCancelled && (now.kind === 'offered' || state === 'gone')) return 'cancelled';
  return state === 'gone' ? 'queue' : 'wait';
}
