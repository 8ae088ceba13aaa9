import type { Clock } from 'ralph-kit/clock';
import { GitError } from 'ralph-kit/git';
import type { Engine, JobRef, WorkerReport } from '../index.d.ts';
import { retryUntilAnswered } from './lease.ts';
import { nextOfJob } from './next-of-job.ts';
import type {
  Coordinator,
  FleetRemote,
  FoundDelivery,
  LostAttempt,
  RemoteAttempt,
  RemoteAttemptEnd,
  RemoteAttemptState,
} from './protocol.ts';
import { queueName, whyWaiting } from './queues.ts';

/** A job as its document describes it. `goal`: as in `RemoteAttempt`. */
type ReadJob = { readonly iteration: number; readonly agent: string; readonly goal: string };

type Fleet = {
  readonly engine: Engine;
  readonly remote: FleetRemote;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  /** Returns a hash in hex. */
  readonly hash: (text: string) => string;
  /** Labels that a worker must have to work on jobs of this run. */
  readonly labels: readonly string[];
  readonly warn: (message: string) => void;
  /** Returns the public keys of the workers whose results count. */
  readonly enrolled: () => readonly string[];
  /** Reads a job's document; `null`: it was written by something else, or by another version. */
  readonly jobIn: (document: string) => ReadJob | null;
  /** Returns as the rest of a sentence why no worker starts a job: the reason, or a worker that isn't enrolled here. */
  readonly missing: (what: 'paused' | 'no_worker' | WorkerReport) => string;
};

/** Number of leases after which a job without news is looked up. */
const LEASES = 2;
/** Characters of each hash in a job's id. */
const SHORT = 12;

/** Returns the coordination of one run's attempts. */
export function openCoordinator(fleet: Fleet): Coordinator {
  const { engine, remote } = fleet;
  const limits: Limits = { at: new Map(), changed: new AbortController() };
  /** Accepted results that haven't landed yet: their commits, by task. */
  const taken = new Map<string, string>();
  return {
    remote: remote.name,
    attempt: async (attempt) => {
      const ended = await attemptAway({ ...fleet, limits }, attempt);
      if (ended.kind !== 'delivered') return ended;
      taken.set(attempt.taskId, ended.result);
      return ended;
    },
    keep: (taskId, result) => void taken.set(taskId, result),
    prune: ({ landed, ...gone }) =>
      remote.prune({ ...gone, results: new Map([...taken].filter(([taskId]) => landed.has(taskId))) }),
    delivered: (taskIds) => deliveredOf(fleet, taskIds),
    met: (agent) => void limits.at.set(agent, 'met'),
    limits: async (now) => {
      for (const [agent, ms] of now) {
        const before = limits.at.get(agent);
        limits.at.set(agent, ms > 0 ? 'limited' : 'free');
        // Limits that an earlier run set are lifted. A limit that a worker met stays until the worker's result arrives.
        if (ms > 0 || before !== 'free') await engine.hold(queueName({ agent, labels: fleet.labels }), ms);
      }
      if (![...limits.at.values()].includes('limited')) return;
      limits.changed.abort();
      limits.changed = new AbortController();
    },
    landings: (landed) =>
      [...landed].flatMap(([taskId, commit]) => {
        const result = taken.get(taskId);
        return result === undefined ? [] : [remote.landing(taskId, result, commit)];
      }),
    drop: async (taskId) => {
      const result = taken.get(taskId);
      taken.delete(taskId);
      if (result !== undefined) await remote.withdraw(taskId, result).catch(notNow(fleet.warn));
    },
    moved: (moves) => {
      const gone = new Set(moves.map(({ from }) => from));
      for (const [taskId, result] of taken) if (gone.has(result)) taken.delete(taskId);
    },
  };
}

/** State of each agent's account. `changed` fires when an account reaches its limit. */
type Limits = { readonly at: Map<string, 'met' | 'limited' | 'free'>; changed: AbortController };

type Ended =
  | Exclude<RemoteAttemptEnd, { kind: 'delivered' }>
  | (Extract<RemoteAttemptEnd, { kind: 'delivered' }> & { result: string });

async function attemptAway(
  fleet: Fleet & { readonly limits: Limits },
  attempt: RemoteAttempt,
): Promise<Ended> {
  const { engine, remote, clock, labels, limits } = fleet;
  const { taskId, iteration, base, agent, stop } = attempt;
  const patient = <T>(work: () => Promise<T>) =>
    retryUntilAnswered(work, { clock, stop, warn: fleet.warn, waitMs: engine.leaseMs });
  const known = await patient(() => earlierJob(fleet, attempt));
  if (known === null) return { ...STOPPED, lost: [] };
  const { earlier } = known;
  /** Claims whose attempts were lost, by their commits. */
  let { lost } = known;
  const withLost = async <E>(end: E) => ({
    ...end,
    lost: await Promise.all(lost.map((claim) => lostAttempt(remote, taskId, claim))),
  });
  const document = attempt.document();
  const job = earlier === null ? await patient(() => remote.offer({ ...attempt, document })) : earlier.job;
  if (job === null) return withLost(STOPPED);
  const queue = queueName({ agent, labels });
  const number = earlier?.iteration ?? iteration;
  const id = `${fleet.hash(taskId).slice(0, SHORT)}-${number}-${job.slice(0, SHORT)}`;
  const tell = teller(fleet, queue, { id, task: taskId, iteration: number, base, job });
  /** Withdraws the job. False: a worker was faster or the remote can't be reached, so the job is looked up again. */
  const takenBack = async (now: RemoteAttemptState): Promise<boolean> => {
    const from = now.kind === 'claimed' ? now.claim : job;
    const isBack = await remote.withdraw(taskId, from).catch(notNow(fleet.warn));
    if (isBack) await engine.remove(queue, id);
    return isBack;
  };
  if (earlier === null) tell.queue();
  const over = new AbortController();
  let lastReason: string | null = null;
  try {
    let waitsUntil = Number.POSITIVE_INFINITY;
    for (;;) {
      const { signal: limited } = limits.changed;
      // Waiting for news begins before the state is read, so that no news in between is missed.
      const news = waitForNews(fleet, id, stop, AbortSignal.any([over.signal, limited]));
      // The engine is read before the remote: a job that the engine has forgotten was already delivered then.
      const state = await engine.stateOf(queue, id);
      const isCancelled = await engine.isCancelled(id);
      const current = await patient(() => remote.look(taskId));
      if (current === null) return withLost(STOPPED);
      if (
        'lost' in current &&
        current.job === job &&
        known.lost.length + current.lost.length !== lost.length
      ) {
        lost = [...known.lost, ...current.lost];
        attempt.onLost(lost.length);
      }
      const isLimited = limits.at.get(agent) === 'limited';
      const next = nextOfJob({ job, current, state, isCancelled, isLimited });
      if (next === 'take' && current.kind === 'delivered') {
        await engine.remove(queue, id);
        const taken = await takeFrom(remote, taskId, current);
        if ('key' in taken) return { kind: 'unknown', key: taken.key, lost: [] };
        // If the whole run ends, the task isn't held back.
        const isHeldBack = isCancelled && !stop.polite.aborted;
        return withLost({
          kind: 'delivered' as const,
          result: current.result,
          isCancelled: isHeldBack,
          earlier:
            earlier === null ? null : { ...earlier, claim: current.claim, ...(await remote.begin(job)) },
          ...taken,
        });
      }
      if (
        next === 'cancelled' ||
        next === 'superseded' ||
        (next === 'limited' && (await takenBack(current)))
      ) {
        lost = [...known.lost, ...unfinished(current, job)];
        return withLost(stop.polite.aborted ? STOPPED : { kind: 'none' as const, why: next });
      }
      const isOutdated = current.kind === 'offered' && earlier === null && attempt.document() !== document;
      if (isOutdated && !stop.polite.aborted && (await takenBack(current))) {
        const again = await attemptAway(fleet, attempt);
        return { ...again, lost: [...(await withLost({})).lost, ...again.lost] };
      }
      if (stop.polite.aborted) {
        if (waitsUntil === Number.POSITIVE_INFINITY) {
          // A cancelled worker ends its agent, but still reports the agent's usage.
          await tell.cancel();
          waitsUntil = clock.monotonicMs() + attempt.graceMs + LEASES * engine.leaseMs;
          if (current.kind === 'claimed') continue;
        }
        if (current.kind === 'offered' || clock.monotonicMs() >= waitsUntil || stop.forced.aborted) {
          lost = [...known.lost, ...unfinished(current, job)];
          return withLost(STOPPED);
        }
      } else if (next === 'queue') tell.queue();
      const isQueued = state === 'waiting' || next === 'queue';
      const why = isQueued && !stop.polite.aborted ? await whatIsMissing(fleet, queue) : null;
      if (why !== null && why !== lastReason) fleet.warn(`${taskId} isn't started: ${why}.`);
      lastReason = why ?? lastReason;
      await news;
    }
  } finally {
    over.abort();
  }
}

/**
 * Returns why no worker starts jobs of a queue, as the rest of a sentence; `null`: workers do start them, or the reason
 * is unknown.
 */
async function whatIsMissing(
  { engine, clock, enrolled, missing }: Fleet,
  queue: string,
): Promise<string | null> {
  const over = new AbortController();
  const known = await Promise.race([
    Promise.all([engine.isPaused(), engine.workers()]).catch(() => null),
    clock.sleep(engine.leaseMs, over.signal).then(() => null),
  ]).finally(() => over.abort());
  if (known === null) return null;
  const [paused, all] = known;
  const keys = enrolled();
  const why = (workers: typeof all) => whyWaiting(queue, { held: false, paused, workers });
  const now = why(all.filter(({ key }) => keys.includes(key)));
  if (now === 'paused') return missing(now);
  return now === 'no_worker' ? missing(all.find((worker) => why([worker]) !== now) ?? now) : null;
}

/**
 * A job that an earlier iteration offered and whose end it didn't see. `earlier` is used again, the claims in `lost`
 * are given up.
 */
type EarlierJob = {
  readonly earlier: { readonly job: string; readonly iteration: number } | null;
  readonly lost: readonly string[];
};

async function earlierJob(
  { remote, jobIn }: Fleet,
  { taskId, cutOff, agent, goal }: RemoteAttempt,
): Promise<EarlierJob> {
  const none = { earlier: null, lost: [] };
  if (cutOff.length === 0) return none;
  const now = await remote.look(taskId);
  if (now.kind === 'none' || now.kind === 'offered') return none;
  const job = jobIn(await remote.jobText(now.job));
  if (job === null || !cutOff.includes(job.iteration)) return none;
  if (job.agent !== agent || job.goal !== goal) return { earlier: null, lost: unfinished(now, now.job) };
  return { earlier: { job: now.job, iteration: job.iteration }, lost: [] };
}

async function deliveredOf({ remote, jobIn }: Fleet, taskIds: readonly string[]) {
  const found = new Map<string, FoundDelivery>();
  for (const [taskId, now] of await remote.lookAll(taskIds)) {
    if (now.kind !== 'delivered') continue;
    const job = jobIn(await remote.jobText(now.job));
    if (job === null) continue;
    const signed = await remote.take(taskId, now.claim, now.result);
    const unknown = signed.kind === 'unknown' ? signed.key : null;
    found.set(taskId, { iteration: job.iteration, result: now.result, unknown });
  }
  return found;
}

function unfinished(now: RemoteAttemptState, job: string): readonly string[] {
  return 'claim' in now && now.job === job ? [now.claim, ...now.lost] : [];
}

/**
 * Returns a lost attempt. `document`: the worker's record; `null`: it is missing, or not signed by a trusted machine.
 */
async function lostAttempt(remote: FleetRemote, taskId: string, claim: string): Promise<LostAttempt> {
  const record = await remote.lostRecord(taskId, claim).catch((error: unknown) => {
    if (!(error instanceof GitError)) throw error;
    return null;
  });
  return { claim, document: record?.kind === 'signed' ? record.document : null };
}

function notNow(warn: Fleet['warn']) {
  return (error: unknown): false => {
    if (!(error instanceof GitError)) throw error;
    warn(`What is over can't be taken back on the remote: ${error.message}`);
    return false;
  };
}

const STOPPED = { kind: 'none', why: 'stopped' } as const;

/** Fetches a delivery; the key of the machine that signed it, where that isn't enrolled here. */
async function takeFrom(
  remote: FleetRemote,
  taskId: string,
  { claim, result }: { readonly claim: string; readonly result: string },
) {
  const { tree, ...signed } = await remote.take(taskId, claim, result);
  if (signed.kind === 'unknown') return { key: signed.key };
  const { document } = signed;
  const record: unknown = (JSON.parse(document) as { readonly record?: unknown }).record;
  if (typeof record !== 'string' || !/^[0-9a-f]{40,64}$/.test(record))
    throw new GitError(`The result of ${taskId} names no record`);
  return { tree, document, files: await remote.record(taskId, claim, record) };
}

/**
 * Returns functions that report to the engine without waiting for it. Jobs that the engine missed while it was away are
 * sent again later.
 */
function teller({ engine, warn }: Fleet, queue: string, job: JobRef) {
  let isTelling = false;
  return {
    queue: () => {
      if (isTelling) return;
      isTelling = true;
      engine
        .add(queue, job)
        .catch((error: Error) => warn(`${job.task} can't be queued: ${error.message}`))
        .finally(() => {
          isTelling = false;
        });
    },
    cancel: async () => {
      void engine.cancel(job.id).catch(() => undefined);
      await engine.remove(queue, job.id);
    },
  };
}

/**
 * Resolves when the job is reported as over, at a stop, or after `LEASES` leases (during a stop, after half a lease).
 */
async function waitForNews(
  { engine, clock }: Fleet,
  id: string,
  { polite, forced }: RemoteAttempt['stop'],
  over: AbortSignal,
): Promise<void> {
  const heard = new AbortController();
  const signal = AbortSignal.any([over, heard.signal, polite.aborted ? forced : polite]);
  const wait = polite.aborted ? engine.leaseMs / LEASES : LEASES * engine.leaseMs;
  await Promise.race([engine.ended(id, signal), clock.sleep(wait, signal)]).finally(() => heard.abort());
}
