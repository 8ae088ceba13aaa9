import { hostname } from 'node:os';
import { keepLease, openCoordinator } from 'ralph-fleet/jobs';
import { sha256 } from 'ralph-kit/files/sha256';
import { parseJson } from 'ralph-kit/parse-json';
import { EXIT } from '../../../domain/exit.ts';
import { FleetJob, WHY_WAITING } from '../../../domain/fleet.ts';
import { DECIDER_VERSION } from '../../../domain/records/iteration.ts';
import { goalText } from '../../../domain/task.ts';
import { readEnrolled } from '../../../store/index.ts';
import { type Failure, failure } from '../../result.ts';
import { commandsOf, engineFailure, openFleet } from '../../setup/fleet.ts';
import type { Project } from '../../setup/project.ts';
import { type Coordinator, type RunInput, run } from '../run.ts';

export type FleetRunInput = RunInput & {
  readonly labels: readonly string[];
  readonly leaseMs: number;
};

export function fleetRun(input: FleetRunInput) {
  // Landed work is pushed at once, and sessions aren't resumed, because workers can't see each other's.
  const flags = { ...input.flags, 'git.push': 'on_done', 'loop.resume': false };
  return run({ ...input, flags, fleet: (project) => coordinate(project, input) });
}

async function coordinate(project: Project, input: FleetRunInput): Promise<Failure | Coordinator> {
  const { labels, leaseMs } = input;
  if (project.config.git.commit === 'never')
    return failure(
      'Workers of a fleet get the work as commits, and [git] commit = "never" makes none.',
      'ralph run',
    );
  const warn = (message: string) => void project.store.commit([{ type: 'warned', message }]);
  const onProblem = (message: string) =>
    warn(`The engine of the fleet is away (${message}): running attempts continue, and none is started.`);
  const fleet = await openFleet(project, { leaseMs, onProblem });
  if (!fleet.ok) return fleet;
  const { engine, remote, seal } = fleet;
  const owner = `process ${process.pid} on ${hostname()}`;
  const lock = await engine.lock('coordinator', owner).catch(engineFailure);
  if ('ok' in lock || 'heldBy' in lock) {
    await engine.close();
    if ('ok' in lock) return lock;
    const message = `Another coordinator lands the results of this repository (${lock.heldBy}). Nothing was changed.`;
    return failure(message, 'ralph fleet status', EXIT.locked);
  }
  if (readEnrolled(project.stateHome).length === 0)
    warn(
      `No worker is enrolled here. At each worker: ralph fleet enrol ${seal.key}. Here, with the key that ralph fleet key prints there: ralph fleet enrol KEY`,
    );
  const commands = commandsOf(project);
  const terms = () => ({ commands, workers: readEnrolled(project.stateHome).map(({ key }) => key) });
  const [lost, over] = [new AbortController(), new AbortController()];
  const onBeat = (beat: Awaited<ReturnType<typeof lock.beat>>) => {
    if (beat !== 'lost' || lost.signal.aborted) return;
    warn('Another coordinator lands the results by now: this run ends.');
    lost.abort();
  };
  const beating = keepLease({
    clock: project.clock,
    leaseMs,
    beat: lock.beat,
    over: over.signal,
    onBeat,
  });
  return {
    ok: true,
    remoteWorkers: {
      ...openCoordinator({
        engine,
        remote,
        clock: project.clock,
        hash: sha256,
        labels,
        warn,
        enrolled: () => terms().workers,
        jobIn,
        missing: (what) =>
          typeof what === 'string'
            ? WHY_WAITING[what]
            : `${what.name} isn't enrolled here (ralph fleet enrol ${what.key})`,
      }),
      terms,
      isTakenOver: async () => {
        if (!lost.signal.aborted) onBeat(await lock.beat());
        return lost.signal.aborted;
      },
    },
    lost: lost.signal,
    close: async () => {
      over.abort();
      await beating;
      await lock.release();
      await engine.close();
    },
  };
}

/** Reads an offered job; `null`: another version of the deciding code wrote it. */
function jobIn(document: string) {
  const job = parseJson(document, FleetJob);
  if (job?.decider !== DECIDER_VERSION) return null;
  return { iteration: job.facts.iteration, agent: job.agent, goal: goalText(job.facts.task) };
}
