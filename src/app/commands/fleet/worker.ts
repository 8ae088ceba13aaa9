import { hostname } from 'node:os';
import type { Claim, WorkerReport } from 'ralph-fleet';
import { servesQueue } from 'ralph-fleet/jobs';
import { exitCodeOf } from '../../../domain/exit.ts';
import { prepareForLongRun } from '../../../io/long-run.ts';
import { listenForStop } from '../../../io/stop-signal.ts';
import type { LoopContext } from '../../../loop/context.ts';
import { attemptJob } from '../../../loop/index.ts';
import { type DataOf, failure, success } from '../../result.ts';
import { requireRunnable } from '../../setup/check-trust.ts';
import { chooseAgents } from '../../setup/choose-agent.ts';
import { commandsOf, type Fleet, openFleet } from '../../setup/fleet.ts';
import { inLoop } from '../../setup/in-loop.ts';
import { moduleHostOf, modulesOf } from '../../setup/modules.ts';
import { inProject } from '../../setup/project.ts';
import { rulesOf } from '../../setup/review-setup.ts';
import type { LoopInput } from '../run.ts';

export type FleetWorkerInput = Omit<
  LoopInput,
  'askGate' | 'confirmMarks' | 'confirmFirstCommit' | 'confirmUncommitted'
> & {
  /** Name of the worker; `null`: made of host name and process id. */
  readonly name: string | null;
  readonly labels: readonly string[];
  readonly once: boolean;
  readonly leaseMs: number;
  readonly log: (line: string) => void;
};

export type FleetWorkerResult = DataOf<typeof fleetWorker>;

/** Makes attempts that a coordinator offers, in this clone, until the worker is stopped or drained. */
export function fleetWorker(input: FleetWorkerInput) {
  prepareForLongRun();
  return inProject({ ...input, willRun: true }, async (project) => {
    const modules = modulesOf(project);
    const subject = { ...project, entries: project.configEntries(), modules };
    const unready = await requireRunnable(subject, input.trust);
    if (unready !== null) return unready;
    const agents = chooseAgents(project.root, project.config);
    if (!agents.ok) return agents;
    const box = project.box();
    if (!box.ok) return box;
    const host = moduleHostOf(project, modules);
    const stop = listenForStop({
      onFirst: () => input.onStop('polite'),
      onSecond: () => input.onStop('forced'),
      onHardEnd: () => input.onStop('unfinished'),
    });
    try {
      const review = await rulesOf(project, host);
      if (!review.ok) return review;
      const { hide, leaseMs } = input;
      const onProblem = (message: string) =>
        void project.store.commit([
          { type: 'warned', message: `The engine of the fleet is away: ${message}.` },
        ]);
      const fleet = await openFleet(project, { leaseMs, onProblem });
      if (!fleet.ok) return fleet;
      try {
        const given = {
          ...ALONE,
          agents,
          rules: review.rules,
          box,
          stop,
          host,
          hide,
          holder: 'fleet-worker',
        };
        const ended = await inLoop(project, given, (context) =>
          work(context, fleet, input, commandsOf(project)),
        );
        if ('ok' in ended) return ended;
        const reason = stop.reason();
        return success(ended.data, reason === null ? 0 : exitCodeOf(reason));
      } finally {
        await fleet.engine.close();
      }
    } finally {
      stop.dispose();
      await host.close();
    }
  });
}

/** Options of the loop for a worker: the coordinator decides, and you aren't asked. */
const ALONE = {
  only: null,
  workflow: null,
  prover: null,
  texts: {},
  maxIterations: 1,
  runUntil: null,
  notifyEnd: false,
  confirmMarks: null,
  askGate: null,
  answerChat: null,
};

const POLL_MS = 500;
/**
 * Number of leases for which a usage limit keeps all workers from starting the agent, unless the run sets another time.
 */
const LEASES_HELD = 4;

async function work(context: LoopContext, fleet: Fleet, input: FleetWorkerInput, commands: string) {
  const { engine, remote } = fleet;
  const { key } = fleet.seal;
  const { clock } = context.ports;
  const { labels, once, leaseMs, log } = input;
  const { polite } = context.ports.stop;
  const agents = context.adapters.map(({ name }) => name);
  const name = input.name ?? `${hostname()}-${process.pid}`;
  const counts = { delivered: 0, refused: 0 };
  let drains = false;
  let waitsFor = '';
  const report = async (task: string | null, began: string | null) => {
    const state: WorkerReport['state'] = drains ? 'draining' : task === null ? 'idle' : 'working';
    const { version } = context.ports.process;
    const shown = {
      name,
      key,
      host: hostname(),
      pid: process.pid,
      version,
      agents,
      labels,
      task,
      began,
      since: clock.now(),
      leaseMs,
      state,
    };
    drains = (await engine.report(shown)).drains || drains;
  };
  const nextClaim = async (): Promise<{ readonly claim: Claim; readonly queue: string } | null> => {
    for (const queue of await engine.queues()) {
      const claim = servesQueue(queue, { agents, labels }) ? await engine.claim(queue) : null;
      if (claim !== null) return { claim, queue };
    }
    return null;
  };
  // Requests to an earlier worker of the same name are dropped.
  await engine.leave(name);
  log(`${name}: ready for ${agents.join(', ')}`);
  try {
    while (!polite.aborted) {
      await report(null, null);
      if (drains) break;
      const next = await nextClaim();
      if (next === null) {
        await clock.sleep(POLL_MS, polite);
        continue;
      }
      const { claim, queue } = next;
      const account = {
        isLimited: () => engine.isHeld(queue),
        limit: () => engine.hold(queue, LEASES_HELD * leaseMs),
      };
      const { task } = claim.job;
      const [over, began] = [new AbortController(), clock.now()];
      const reporting = (async () => {
        while (!over.signal.aborted) {
          await report(task, began);
          await clock.sleep(leaseMs, over.signal);
        }
      })();
      const place = { claim, remote, leaseMs, account, name, log, key, commands };
      const outcome = await attemptJob(context, place).finally(() => over.abort());
      await reporting;
      if (outcome.kind === 'refused') {
        if (once || !outcome.passes) return failure(outcome.message, outcome.next);
        if (outcome.next !== waitsFor)
          log(`${outcome.message} ${outcome.next}. This worker waits until that is done.`);
        waitsFor = outcome.next;
        await clock.sleep(leaseMs, polite);
        continue;
      }
      waitsFor = '';
      const { kind } = outcome;
      log(`${task}: ${OUTCOMES[kind]}`);
      if (kind === 'delivered') counts.delivered += 1;
      if (kind === 'late' || kind === 'lost') counts.refused += 1;
      if (once && kind !== 'over' && kind !== 'given_back') break;
    }
  } finally {
    await engine.leave(name);
  }
  return { data: { worker: name, drained: drains, ...counts } };
}

const OUTCOMES = {
  delivered: 'delivered',
  over: 'already over',
  late: 'delivered too late: another worker has it',
  lost: 'lease lost, so its agent was ended; only its record is kept',
  given_back: 'given back',
} as const;
