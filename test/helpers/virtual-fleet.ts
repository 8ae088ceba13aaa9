import { setMaxListeners } from 'node:events';
import type { Engine, JobRef } from 'ralph-fleet';
import { type FleetRemote, openCoordinator } from 'ralph-fleet/jobs';
import type { LoopContext } from '../../src/loop/context.ts';
import type { Finished } from '../../src/loop/crew.ts';
import { checkRoom } from '../../src/loop/take-step.ts';
import { openTurns } from '../../src/loop/turns.ts';
import { openVirtualClock } from './virtual-clock.ts';
import { virtualCrew } from './virtual-night.ts';

/** Seconds of an attempt's parts besides agent and gates, on a machine that does nothing else. */
export type Costs = {
  /** Seconds at the run: choosing and starting, offering, looking up a ref of the remote, taking a result. */
  readonly step: number;
  readonly offer: number;
  readonly look: number;
  readonly take: number;
  /** Seconds at the run for one result after the other: work around the gates, landing, push. */
  readonly merge: number;
  /** Seconds at the worker: claiming, starting the agent, delivering. */
  readonly claim: number;
  readonly begin: number;
  readonly deliver: number;
  /** Share of this time in which a processor is active: at the run with its servers, and at a worker. */
  readonly share: { readonly run: number; readonly worker: number };
};

export type FleetNight = {
  readonly workers: number;
  readonly tasks: number;
  /** Average seconds of an agent, and the share by which the shortest and the longest differ from that. */
  readonly agent: number;
  readonly spread?: number;
  readonly gates: number;
  /** Number of gates that may run at once. */
  readonly places: number;
  /** Number of processors of the run's machine; `together`: the workers share them. */
  readonly processors: number;
  readonly together: boolean;
  readonly costs: Costs;
};

/** Result of a night. `busy`: share of the time in which each single resource was in use; processors: on average. */
export type FleetNightWent = {
  readonly seconds: number;
  readonly busy: { readonly starts: number; readonly merger: number; readonly processors: number };
};

/** Seconds between two questions of a worker without a job. */
const POLL = 0.5;
const GOLDEN = 0.618_033_988_75;
const LEASE_MS = 30_000;

/**
 * Plays a night of a fleet on a virtual clock, with ralph's own crew, merge queue, limit on results that wait for gates
 * (`checkRoom`) and coordination of attempts (`openCoordinator`). The engine and the remote only cost time; workers, gates and
 * landings are modelled by their durations.
 */
export async function virtualFleetNight(night: FleetNight): Promise<FleetNightWent> {
  const { workers, tasks, agent, spread = 0, gates, places, costs } = night;
  const clock = openVirtualClock();
  const [atRun, used] = [processors(clock, night.processors), { starts: 0, merger: 0, processors: 0 }];
  const atWorkers = night.together ? atRun : processors(clock, Number.POSITIVE_INFINITY);
  /** Plays a part of the work: a share of the time uses a processor, the rest is waiting. */
  const costsAt = (machine: typeof atRun, share: number) => async (seconds: number) => {
    await machine(seconds * share);
    await clock.wait(seconds * (1 - share));
    if (machine === atRun) used.processors += seconds * share;
  };
  const [run, worker] = [costsAt(atRun, costs.share.run), costsAt(atWorkers, costs.share.worker)];
  // Durations are spread evenly for any number of tasks, by multiples of the golden ratio.
  const agentFor = (task: string) => agent * (1 + spread * (2 * ((Number(task.slice(2)) * GOLDEN) % 1) - 1));
  const fleet = virtualWorkers(workers, clock, async (job) => {
    await worker(costs.claim);
    await worker(costs.begin);
    await clock.wait(agentFor(job.task));
    await worker(costs.deliver);
    return job;
  });
  const away = openCoordinator({
    engine: fleet.engine,
    remote: {
      offer: async ({ taskId }: { readonly taskId: string }) => {
        await run(costs.offer);
        return taskId;
      },
      look: async (taskId: string) => {
        const isDelivered = fleet.isDelivered(taskId);
        await run(costs.look);
        return isDelivered
          ? { kind: 'delivered', job: taskId, claim: taskId, result: taskId, lost: [] }
          : { kind: 'offered', job: taskId };
      },
      take: async () => {
        await run(Math.max(0, costs.take - costs.look));
        return { kind: 'signed', tree: '', document: JSON.stringify({ record: '0'.repeat(40) }) };
      },
      record: async () => ({}),
    } as unknown as FleetRemote,
    clock: {
      sleep: (ms: number, signal?: AbortSignal) => clock.wait(ms / 1000, signal),
      monotonicMs: () => clock.now() * 1000,
    },
    hash: (text) => text,
    labels: [],
    warn: (message) => {
      throw new Error(message);
    },
    enrolled: () => [],
    jobIn: () => null,
    missing: (what) => JSON.stringify(what),
  });
  const [turns, crew] = [openTurns(places), virtualCrew(workers)];
  const took = { count: 0, agentMs: 0, gatesMs: 0 };
  const stop = { polite: NEVER, forced: NEVER, reason: () => null };
  const attempt = async (taskId: string): Promise<Finished> => {
    const asked = {
      taskId,
      iteration: 1,
      agent: 'modelled',
      stop,
      graceMs: 0,
      base: '',
      startTree: '',
      document: () => '',
      cutOff: [],
      goal: '',
      onLost: () => undefined,
    };
    await away.attempt(asked);
    const turn = await turns.enter({ taskId, priority: () => null, lands: true }, NEVER);
    const began = clock.now();
    await clock.wait(gates);
    await run(costs.merge);
    used.merger += clock.now() - began;
    turn.leave();
    took.count += 1;
    took.agentMs += agentFor(taskId) * 1000;
    took.gatesMs += (clock.now() - began) * 1000;
    return { taskId } as Finished;
  };
  // Copies and memory are unlimited here, so only gates are scarce.
  const ports = { room: async () => ({ disk: null, memory: null }), store: { commit: () => undefined } };
  const context = { ports, turns, workers: [] } as unknown as LoopContext;
  const loop = async () => {
    for (let begun = 0, ended = 0; ended < tasks; ) {
      const { isShort } = await checkRoom(context, { crew }, { took, shortages: new Set() });
      if (begun === tasks || crew.free() === 0 || isShort) {
        await crew.next();
        ended += 1;
        continue;
      }
      const began = clock.now();
      await run(costs.step);
      used.starts += clock.now() - began;
      begun += 1;
      const taskId = `T-${begun}`;
      crew.begin(crew.workerFor(taskId), { taskId, finished: attempt(taskId), stop: () => undefined });
    }
  };
  const seconds = (await clock.run(loop())) - costs.step;
  const part = (busy: number, of = 1) => busy / of / seconds;
  return {
    seconds,
    busy: {
      starts: part(used.starts),
      merger: part(used.merger),
      processors: part(used.processors, night.processors),
    },
  };
}

const NEVER = new AbortController().signal;
// Many workers listen to this signal at once, so Node must not warn of that.
setMaxListeners(0, NEVER);

type VirtualClock = ReturnType<typeof openVirtualClock>;

/** Returns a number of processors: work that finds none free waits, first come first served. */
function processors(clock: VirtualClock, count: number) {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (seconds: number) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    await clock.wait(seconds);
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
}

/** Returns an engine whose jobs are done by a number of workers, each of which asks regularly while it has none. */
function virtualWorkers(count: number, clock: VirtualClock, work: (job: JobRef) => Promise<JobRef>) {
  const [queued, delivered, over] = [[] as JobRef[], new Set<string>(), new Map<string, () => void>()];
  /** Time since which each worker has had no job. */
  const idle = Array.from({ length: count }, (_, at) => (at / count) * POLL);
  const asksIn = (since: number) => POLL - ((((clock.now() - since) % POLL) + POLL) % POLL);
  const serve = async (since: number, job: JobRef) => {
    await clock.wait(asksIn(since));
    for (let next: JobRef | undefined = job; next !== undefined; next = queued.shift()) {
      const { id, task } = await work(next);
      delivered.add(task);
      over.get(id)?.();
    }
    idle.push(clock.now());
  };
  const engine = {
    leaseMs: LEASE_MS,
    add: async (_queue: string, job: JobRef) => {
      const first = idle.reduce(
        (best, since, at) => (asksIn(since) < asksIn(idle[best] ?? 0) ? at : best),
        0,
      );
      const [since] = idle.splice(first, 1);
      if (since === undefined) queued.push(job);
      else void serve(since, job);
    },
    stateOf: async () => 'active' as const,
    isCancelled: async () => false,
    isHeld: async () => false,
    remove: async () => undefined,
    hold: async () => undefined,
    ended: (id: string, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (signal.aborted) return resolve();
        const end = () => {
          over.delete(id);
          resolve();
        };
        over.set(id, end);
        signal.addEventListener('abort', end, { once: true });
      }),
  };
  return { engine: engine as unknown as Engine, isDelivered: (task: string) => delivered.has(task) };
}
