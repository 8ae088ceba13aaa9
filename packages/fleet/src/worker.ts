import type { Clock } from 'ralph-kit/clock';
import { GitError } from 'ralph-kit/git';
import type { Claim } from '../index.d.ts';
import { keepLease, retryUntilAnswered } from './lease.ts';
import type { Delivery, FleetRemote, Signed, Stop } from './protocol.ts';

/** Why a worker makes no attempts for the machine that offered the job. */
export type Refused = {
  readonly kind: 'refused';
  readonly message: string;
  readonly next: string;
  /** Whether the reason may not apply to later jobs. */
  readonly passes: boolean;
};

export type Begun = {
  readonly base: string;
  readonly baseTree: string;
  readonly startTree: string;
  /** Whether another worker started the same attempt, and its end wasn't seen. */
  readonly wasBegun: boolean;
  /** Fires also when the lease is lost, and when the attempt is cancelled. */
  readonly stop: Stop;
};

type Place<Job> = {
  readonly claim: Claim;
  readonly remote: FleetRemote;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly stop: Stop;
  readonly leaseMs: number;
  /** Name of the worker, as shown in the status of the fleet. */
  readonly name: string;
  readonly warn: (message: string) => void;
  /** Reads a job's document; `null`: this worker has no use for it, so the job is over. */
  readonly accept: (signed: Signed) => Job | Refused | null;
  /** Makes the attempt, and returns what is delivered; `null`: it didn't begin, so the job is given back. */
  readonly attempt: (job: Job, begun: Begun) => Promise<Omit<Delivery, 'taskId' | 'claim'> | null>;
};

/**
 * Makes the attempt that a job asks for and delivers it. Only this process renews the lease. If the lease is lost, the
 * attempt is stopped and only its record is pushed. If the engine can't be reached, the attempt continues: once another
 * worker has taken over the claim, this one can't deliver.
 */
export async function workAtJob<Job extends object>(
  place: Place<Job>,
): Promise<Refused | { readonly kind: 'over' | 'delivered' | 'late' | 'lost' | 'given_back' }> {
  const { claim, remote, clock, leaseMs, warn } = place;
  const { task: taskId, job: commit } = claim.job;
  const [lost, asked, over] = [new AbortController(), new AbortController(), new AbortController()];
  const stop: Stop = {
    polite: AbortSignal.any([place.stop.polite, lost.signal, asked.signal]),
    forced: AbortSignal.any([place.stop.forced, lost.signal]),
  };
  const beating = keepLease({
    clock,
    leaseMs,
    beat: claim.beat,
    over: over.signal,
    onBeat: (beat) => {
      if (beat === 'lost') lost.abort();
      if (beat === 'cancelled') asked.abort();
    },
  });
  const patient = <T>(work: () => Promise<T>, until = stop) =>
    retryUntilAnswered(work, { clock, stop: until, warn, waitMs: leaseMs });
  try {
    const now = await patient(() => remote.look(taskId));
    const isOffered = now !== null && now.kind !== 'none' && now.job === commit;
    const signed = isOffered ? await remote.job(taskId, commit).catch(asNone(warn)) : null;
    const job = signed === null ? null : place.accept(signed);
    if (job !== null && 'kind' in job) {
      await claim.release();
      return job;
    }
    const claimed = job === null ? null : await patient(() => remote.claim(taskId, commit, place.name));
    if (job === null || claimed === null) {
      await (stop.polite.aborted ? claim.release() : claim.finish());
      return { kind: stop.polite.aborted ? 'given_back' : 'over' };
    }
    const made = await place.attempt(job, {
      ...(await remote.begin(commit)),
      // Another worker's lost attempt may have changed something outside of this copy.
      wasBegun: now !== null && 'claim' in now,
      stop,
    });
    if (made === null) {
      await patient(() => remote.giveBack(taskId, claimed));
      await claim.release();
      return { kind: 'given_back' };
    }
    const delivery: Delivery = { ...made, taskId, claim: claimed };
    // After the first stop signal, a finished result is still delivered. The second signal gives up.
    const isIn = lost.signal.aborted
      ? false
      : await patient(() => remote.deliver(delivery), { ...stop, polite: stop.forced });
    if (isIn === true) {
      await claim.finish();
      return { kind: 'delivered' };
    }
    await patient(() => remote.keepRecord(delivery));
    return { kind: lost.signal.aborted ? 'lost' : 'late' };
  } finally {
    over.abort();
    await beating;
  }
}

/**
 * Returns a handler that reports a damaged or wrongly signed job as a warning and returns `null`, so that the job is
 * skipped.
 */
function asNone(warn: (message: string) => void) {
  return (error: unknown) => {
    if (!(error instanceof GitError)) throw error;
    warn(error.message);
    return null;
  };
}
