import { existsSync } from 'node:fs';
import { attemptNumber, whyIdle, workersAt } from '../../decide/index.ts';
import { controlOf } from '../../domain/records/run-control.ts';
import { taskStateOf, workplaceStateOf } from '../../domain/records/state.ts';
import { loadTasks } from '../../loop/index.ts';
import { type DataOf, failure, success } from '../result.ts';
import { inProject, type Project } from '../setup/project.ts';
import { inWorkspace, type ProjectInput, type Workspace } from '../setup/workspace.ts';
import { placesIn } from './queue.ts';
import { activeIn, NO_RUN } from './running/control-run.ts';

export type WorkersResult = DataOf<typeof workers>;

export function workers(input: ProjectInput) {
  return inProject(input, async (project) => {
    const active = activeWorkers(project);
    if (active === null) return success({ run: null, workers: [] });
    const { run, numbers, stopped } = active;
    const { state } = project.store;
    const loaded = await loadTasks({ ports: project });
    if (!loaded.ok) return failure(loaded.message, loaded.next ?? 'ralph doctor');
    const { tasks } = loaded;
    const { worktree } = project.workplace;
    const idleBecause = whyIdle(placesIn({ project, tracker: loaded.tracker, tasks }))?.text ?? null;
    const atWork = new Map(workersAt({ state, tasks, worktree }).map((one) => [one.worker, one]));
    return success({
      run,
      workers: numbers.map((worker) => {
        const one = atWork.get(worker);
        const isStopped = stopped.includes(worker);
        const where = { worker, stopped: isStopped, path: copyOf(project, worker) };
        if (one === undefined) return { ...where, ...IDLE, idle_because: isStopped ? null : idleBecause };
        const { taskId, iteration, agent, phase, since, place } = one;
        const title = tasks.find(({ id }) => id === taskId)?.title ?? taskId;
        const attempt = iteration === null ? null : attemptNumber(taskStateOf(state, taskId));
        const work = { task_id: taskId, title, attempt, iteration, agent, phase, since, place };
        return { ...where, ...work, idle_because: null };
      }),
    });
  });
}

const IDLE = {
  task_id: null,
  title: null,
  attempt: null,
  iteration: null,
  agent: null,
  phase: null,
  since: null,
  place: null,
};

/** Returns the path of a worker's copy; `null`: there is none yet. */
function copyOf({ git }: Project, worker: number): string | null {
  const work = git.work(worker);
  return work.base() !== null && existsSync(work.mounted.files) ? work.mounted.files : null;
}

/** Returns the active run's workers; `null`: no run is active. */
function activeWorkers(workspace: Workspace) {
  const active = activeIn(workspace);
  if (active === null) return null;
  const { state } = workspace.store;
  const { run } = active;
  const known = state.runs.findLast((one) => one.run === run);
  const numbers = Array.from({ length: known?.workers ?? 1 }, (_, index) => index + 1);
  return { run, numbers, stopped: controlOf(state, run).stoppedWorkers };
}

function workerNamed(workspace: Workspace, name: string) {
  const active = activeWorkers(workspace);
  if (active === null) return failure(NO_RUN, 'ralph status');
  const { run, numbers, stopped } = active;
  const worker = Number(name);
  if (!numbers.includes(worker)) {
    const known = numbers.length === 1 ? 'It has one worker, 1.' : `Its workers: 1 to ${numbers.length}.`;
    return failure(`${run} has no worker ${name}. ${known}`, 'ralph workers');
  }
  const place = workplaceStateOf(workspace.store.state, { ...workspace.workplace, worker });
  return { ok: true as const, run, numbers, stopped, worker, place };
}

export function workerIteration(input: ProjectInput & { readonly worker: string }) {
  return inWorkspace(input, (workspace) => {
    const named = workerNamed(workspace, input.worker);
    if (!named.ok) return named;
    const { openIteration } = named.place;
    if (openIteration === null)
      return failure(`Worker ${named.worker} is at no attempt now.`, 'ralph workers');
    return success({ iteration: openIteration.iteration });
  });
}

export type WorkerStopResult = DataOf<typeof stopWorker>;

/** Stops a worker. Its attempt ends without counting against the task, and it starts no more in this run. */
export function stopWorker(input: ProjectInput & { readonly worker: string }) {
  return inWorkspace(input, (workspace) => {
    const named = workerNamed(workspace, input.worker);
    if (!named.ok) return named;
    const { run, numbers, stopped, worker, place } = named;
    const already = stopped.includes(worker);
    // The run may have ended since it was looked up.
    if (!already)
      workspace.store.commit(() =>
        activeIn(workspace)?.run === run ? [{ type: 'run_requested', run, worker, request: 'stop_now' }] : [],
      );
    const { openIteration: open, phase } = place;
    return success({
      run,
      worker,
      already,
      task_id: open?.taskId ?? phase?.taskId ?? null,
      iteration: open?.iteration ?? null,
      last: numbers.every((one) => one === worker || stopped.includes(one)),
    });
  });
}
