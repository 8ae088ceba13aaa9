import { parseJson } from 'ralph-kit/parse-json';
import { nextOfJob, queueName, whyWaiting } from '../../decide/index.ts';
import {
  type Away,
  type AwayAttempt,
  type AwayEnd,
  FleetJob,
  type FoundDelivery,
  type LostAttempt,
  WHY_WAITING,
} from '../../domain/fleet.ts';
import type { AwayNow, Engine, FleetRemote, JobRef } from '../../domain/ports/fleet.ts';
import { type Clock, GitError, type Ids } from '../../domain/ports.ts';
import { DECIDER_VERSION } from '../../domain/records/iteration.ts';
import { goalText } from '../../domain/task.ts';
import { patiently } from './patiently.ts';

type Fleet = {
  readonly engine: Engine;
  readonly remote: FleetRemote;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Labels that a worker must have to work on jobs of this run. */
  readonly labels: readonly string[];
  readonly warn: (message: string) => void;
  readonly terms: Away['terms'];
};

/** Number of leases after which a job without news is looked up. */
const LEASES = 2;
/** Characters of each hash in a job's id. */
const SHORT = 12;

export function openAway(fleet: Fleet): Away {
  const { engine, remote } = fleet;
  const limits: Limits = { at: new Map(), changed: new AbortController() };
  /** Accepted results that haven't landed yet: their commits, by task. */
  const taken = new Map<string, string>();
  return {
    remote: remote.name,
    terms: fleet.terms,
    attempt: async (attempt) => {
      const ended = await attemptAway({ ...fleet, limits }, attempt);
      if (ended.kind !== 'delivered') return ended;
      taken.set(attempt.taskId, ended.result);
      return ended;
    },
    keep: (taskId, result) => void taken.set(taskId, result),
    prune: ({ landed, ...gone }) =>
      remote.prune({ ...gone, results: new Map([...taken].filter(([taskId]) => landed.has(taskId))) }),
    delivered: (taskIds) => deliveredOf(remote, taskIds),
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
  | Exclude<AwayEnd, { kind: 'delivered' }>
  | (Extract<AwayEnd, { kind: 'delivered' }> & { result: string });

async function attemptAway(fleet: Fleet & { readonly limits: Limits }, attempt: AwayAttempt): Promise<Ended> {
  const { engine, remote, clock, ids, labels, limits } = fleet;
  const { taskId, iteration, base, agent, stop } = attempt;
  const patient = <T>(work: () => Promise<T>) =>
    patiently(work, { clock, stop, warn: fleet.warn, waitMs: engine.leaseMs });
  const known = await patient(() => earlierJob(remote, attempt));
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
  const id = `${ids.sha256(taskId).slice(0, SHORT)}-${number}-${job.slice(0, SHORT)}`;
  const tell = teller(fleet, queue, { id, task: taskId, iteration: number, base, job });
  /** Withdraws the job. False: a worker was faster or the remote can't be reached, so the job is looked up again. */
  const takenBack = async (now: AwayNow): Promise<boolean> => {
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
      const now = await patient(() => remote.look(taskId));
      if (now === null) return withLost(STOPPED);
      if ('lost' in now && now.job === job && known.lost.length + now.lost.length !== lost.length) {
        lost = [...known.lost, ...now.lost];
        attempt.onLost(lost.length);
      }
      const isLimited = limits.at.get(agent) === 'limited';
      const next = nextOfJob({ job, now, state, isCancelled, isLimited });
      if (next === 'take' && now.kind === 'delivered') {
        await engine.remove(queue, id);
        const taken = await takeFrom(remote, taskId, now);
        // If the whole run ends, the task isn't held back.
        const isHeldBack = isCancelled && !stop.polite.aborted;
        return withLost({
          kind: 'delivered' as const,
          result: now.result,
          isCancelled: isHeldBack,
          earlier: earlier === null ? null : { ...earlier, claim: now.claim, ...(await remote.begin(job)) },
          ...taken,
        });
      }
      if (next === 'cancelled' || next === 'superseded' || (next === 'limited' && (await takenBack(now)))) {
        lost = [...known.lost, ...unfinished(now, job)];
        return withLost(stop.polite.aborted ? STOPPED : { kind: 'none' as const, why: next });
      }
      const isOutdated = now.kind === 'offered' && earlier === null && attempt.document() !== document;
      if (isOutdated && !stop.polite.aborted && (await takenBack(now))) {
        const again = await attemptAway(fleet, attempt);
        return { ...again, lost: [...(await withLost({})).lost, ...again.lost] };
      }
      if (stop.polite.aborted) {
        if (waitsUntil === Number.POSITIVE_INFINITY) {
          // A cancelled worker ends its agent, but still reports the agent's usage.
          await tell.cancel();
          waitsUntil = clock.monotonicMs() + attempt.graceMs + LEASES * engine.leaseMs;
          if (now.kind === 'claimed') continue;
        }
        if (now.kind === 'offered' || clock.monotonicMs() >= waitsUntil || stop.forced.aborted) {
          lost = [...known.lost, ...unfinished(now, job)];
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
async function whatIsMissing({ engine, clock, terms }: Fleet, queue: string): Promise<string | null> {
  const over = new AbortController();
  const known = await Promise.race([
    Promise.all([engine.isPaused(), engine.workers()]).catch(() => null),
    clock.sleep(engine.leaseMs, over.signal).then(() => null),
  ]).finally(() => over.abort());
  if (known === null) return null;
  const [paused, all] = known;
  const enrolled = terms().workers;
  const why = (workers: typeof all) => whyWaiting(queue, { held: false, paused, workers });
  const now = why(all.filter(({ key }) => enrolled.includes(key)));
  if (now === 'paused') return WHY_WAITING.paused;
  if (now !== 'no_worker') return null;
  const other = all.find((worker) => why([worker]) !== 'no_worker');
  return other === undefined
    ? WHY_WAITING.no_worker
    : `${other.name} isn't enrolled here (ralph fleet enrol ${other.key})`;
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
  remote: FleetRemote,
  { taskId, cutOff, agent, task }: AwayAttempt,
): Promise<EarlierJob> {
  const none = { earlier: null, lost: [] };
  if (cutOff.length === 0) return none;
  const now = await remote.look(taskId);
  if (now.kind === 'none' || now.kind === 'offered') return none;
  const job = jobIn(await remote.jobText(now.job));
  if (job === null || !cutOff.includes(job.facts.iteration)) return none;
  const isSame = job.agent === agent && goalText(job.facts.task) === goalText(task);
  if (!isSame) return { earlier: null, lost: unfinished(now, now.job) };
  return { earlier: { job: now.job, iteration: job.facts.iteration }, lost: [] };
}

function jobIn(text: string): FleetJob | null {
  const job = parseJson(text, FleetJob);
  return job?.decider === DECIDER_VERSION ? job : null;
}

async function deliveredOf(remote: FleetRemote, taskIds: readonly string[]) {
  const found = new Map<string, FoundDelivery>();
  for (const [taskId, now] of await remote.lookAll(taskIds)) {
    if (now.kind !== 'delivered') continue;
    const job = jobIn(await remote.jobText(now.job));
    if (job === null) continue;
    const signed = await remote.take(taskId, now.claim, now.result);
    const unknown = signed.kind === 'unknown' ? signed.key : null;
    found.set(taskId, { iteration: job.facts.iteration, result: now.result, unknown });
  }
  return found;
}

function unfinished(now: AwayNow, job: string): readonly string[] {
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

async function takeFrom(
  remote: FleetRemote,
  taskId: string,
  { claim, result }: { readonly claim: string; readonly result: string },
) {
  const { tree, ...signed } = await remote.take(taskId, claim, result);
  if (signed.kind === 'unknown')
    throw new GitError(`A machine that isn't enrolled made ${taskId}: ralph fleet enrol ${signed.key}`);
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
  { polite, forced }: AwayAttempt['stop'],
  over: AbortSignal,
): Promise<void> {
  const heard = new AbortController();
  const signal = AbortSignal.any([over, heard.signal, polite.aborted ? forced : polite]);
  const wait = polite.aborted ? engine.leaseMs / LEASES : LEASES * engine.leaseMs;
  await Promise.race([engine.ended(id, signal), clock.sleep(wait, signal)]).finally(() => heard.abort());
}
