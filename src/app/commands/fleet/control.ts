import { askedBy, whyWaiting } from 'ralph-fleet/jobs';
import { type DataOf, failure, success } from '../../result.ts';
import { engineFailure, type Fleet, openFleet } from '../../setup/fleet.ts';
import { inProject, type Project } from '../../setup/project.ts';
import type { ProjectInput } from '../../setup/workspace.ts';

/** Milliseconds of the connection's lease. An answer may take a third of them. */
const PATIENCE_MS = 15_000;

/** Connects to a repository's fleet for one request; no agent or command is run. */
export function inFleet<R>(input: ProjectInput, work: (fleet: Fleet, project: Project) => Promise<R>) {
  return inProject(input, async (project) => {
    const fleet = await openFleet(project, { leaseMs: PATIENCE_MS, onProblem: () => undefined });
    if (!fleet.ok) return fleet;
    try {
      return await work(fleet, project);
    } catch (error) {
      return engineFailure(error);
    } finally {
      await fleet.engine.close();
    }
  });
}

export type FleetStatusResult = DataOf<typeof fleetStatus>;

export function fleetStatus(input: ProjectInput) {
  return inFleet(input, async ({ engine }) => {
    const queues = await engine.queueReports();
    const paused = await engine.isPaused();
    const workers = [...(await engine.workers())].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return success({
      coordinator: await engine.holder('coordinator'),
      paused,
      workers,
      queues: queues.map(({ queue, held, waiting, active }) => ({
        ...askedBy(queue),
        held,
        why: whyWaiting(queue, { held, paused, workers }),
        waiting: waiting.map(({ task }) => task),
        active: active.map(({ task }) => task),
      })),
    });
  });
}

/** Stops workers from taking jobs, or lets them again; running attempts continue. */
export function fleetPause(input: ProjectInput & { readonly paused: boolean }) {
  return inFleet(input, async ({ engine }) => {
    await engine.pause(input.paused);
    return success({ paused: input.paused });
  });
}

export function fleetDrain(input: ProjectInput & { readonly worker: string }) {
  return inFleet(input, async ({ engine }) => {
    const known = (await engine.workers()).find(({ name }) => name === input.worker);
    if (known === undefined) return failure(`The fleet has no worker ${input.worker}.`, 'ralph fleet status');
    await engine.drain(known.name);
    return success({ worker: known.name, task: known.task });
  });
}

/** Ends the attempt at a task, which the coordinator then holds back. */
export function fleetCancel(input: ProjectInput & { readonly task: string }) {
  return inFleet(input, async (fleet) => {
    const found = await jobOf(fleet, input.task);
    if (found === null) return noJob(input.task);
    await fleet.engine.cancel(found.job.id);
    if (!found.isActive) await fleet.engine.remove(found.queue, found.job.id);
    return success({ task: found.job.task, at_work: found.isActive });
  });
}

type LogsInput = ProjectInput & {
  readonly task: string;
  readonly follow: boolean;
  readonly onLine: (line: string) => void;
};

const LOOK_MS = 500;

/** Prints the agent's output at a task; with `follow`, until the attempt ends. */
export function fleetLogs({ task, follow, onLine, ...input }: LogsInput) {
  return inFleet(input, async (fleet, { clock }) => {
    const found = await jobOf(fleet, task);
    if (found === null) return noJob(task);
    const { engine } = fleet;
    const { queue, job } = found;
    let lines = 0;
    for (;;) {
      const state = await engine.stateOf(queue, job.id);
      const more = await engine.logs(queue, job.id, lines);
      more.forEach(onLine);
      lines += more.length;
      if (!follow || state === 'gone') return success({ task, lines });
      await clock.sleep(LOOK_MS);
    }
  });
}

async function jobOf({ engine }: Fleet, task: string) {
  for (const { queue, waiting, active } of await engine.queueReports()) {
    const job = [...active, ...waiting].find((one) => one.task === task);
    if (job !== undefined) return { queue, job, isActive: active.includes(job) };
  }
  return null;
}

function noJob(task: string) {
  return failure(`The fleet has no attempt at ${task}: none is queued or at work.`, 'ralph fleet status');
}
