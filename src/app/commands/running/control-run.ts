import { basename } from 'node:path';
import { attemptNumber } from '../../../decide/index.ts';
import { controlOf, type RunControl, type RunRequest } from '../../../domain/records/run-control.ts';
import { openIterations, type State, taskStateOf } from '../../../domain/records/state.ts';
import { type DataOf, type Failure, failure, success } from '../../result.ts';
import { type ActiveRun, activeRun } from '../../setup/run-lock.ts';
import { stateHomeOf } from '../../setup/state-home.ts';
import { workTreeAt } from '../../setup/work-tree.ts';
import { inWorkspace, type ProjectInput, type Workspace } from '../../setup/workspace.ts';

export type ControlResult = DataOf<typeof controlRun>;

export const NO_RUN = 'No run is active here.';

/** `ralph stop`, `ralph pause`, `ralph continue`: asks the active run for it. */
export async function controlRun(input: ProjectInput & { readonly request: RunRequest }) {
  const { request } = input;
  if (request === 'stop_now') return stopNow(input);
  const recorded = await record(input, request);
  return recorded.ok ? success({ request, ...recorded.data }) : recorded;
}

/** Sends the run what Ctrl-C sends. Whether that can be recorded doesn't matter: nothing may be in its way. */
async function stopNow(input: ProjectInput) {
  const found = await workTreeAt(input.cwd);
  if (!found.ok) return found;
  const { top: root, gitDir, commonDir } = found;
  const worktree = gitDir === commonDir ? 'main' : basename(gitDir);
  const place = { root, stateHome: stateHomeOf(commonDir), worktree };
  const active = activeRun(place);
  if (active === null) return failure(NO_RUN, 'ralph status');
  const { run, pid, host, isSure } = active;
  if (!isSure) {
    return failure(`${run} is process ${pid} on ${host}, which can't be ended from here.`, 'ralph stop');
  }
  // Before anything is recorded: whether it may be sent a signal.
  if (!isSignalled(pid, 0)) return failure(`${run} is process ${pid}, which isn't yours.`, 'ralph stop');
  const recorded = await record(input, 'stop_now');
  if (activeRun(place)?.pid === pid) isSignalled(pid, 'SIGINT');
  const { attempt, others } = recorded.ok ? recorded.data : { attempt: null, others: [] };
  return success({ request: 'stop_now' as const, run, attempt, others, already: false });
}

/** Sends a signal; false where the process is gone or another user's. */
function isSignalled(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Writes the request into the journal, which the run reads between two attempts. */
function record(input: ProjectInput, request: RunRequest) {
  return inWorkspace(input, (workspace) => {
    const active = activeIn(workspace);
    if (active === null) return failure(NO_RUN, 'ralph status');
    const { run } = active;
    const { store } = workspace;
    const control = controlOf(store.state, run);
    const refused = refusal(run, control, request);
    if (refused !== null) return refused;
    const already = isAsked(control, request);
    // It may have ended meanwhile.
    if (!already)
      store.commit(() =>
        activeIn(workspace)?.run === run ? [{ type: 'run_requested', run, request, worker: null }] : [],
      );
    const [attempt = null, ...others] = attemptsOf(store.state, run);
    return success({ run, attempt, others, already });
  });
}

/** The run of this work tree that has not ended. */
export function activeIn({ root, stateHome, workplace, store }: Workspace): ActiveRun | null {
  const active = activeRun({ root, stateHome, worktree: workplace.worktree });
  const ended = store.state.runs.some(({ run, endedAt }) => run === active?.run && endedAt !== null);
  return ended ? null : active;
}

function refusal(run: string, { stop, pausedAt }: RunControl, request: RunRequest): Failure | null {
  if (request !== 'pause' && request !== 'continue') return null;
  if (stop !== null) return failure(`${run} is ending: you stopped it.`, 'ralph status');
  if (request === 'continue' && pausedAt === null) return failure(`${run} isn't paused.`, 'ralph status');
  return null;
}

function isAsked({ stop, pausedAt }: RunControl, request: RunRequest): boolean {
  if (request === 'stop') return stop !== null;
  return request === 'pause' && pausedAt !== null;
}

/** The attempts that the run is at, the oldest first; none: it is between two. */
function attemptsOf(state: State, run: string) {
  return openIterations(state)
    .filter((one) => one.run === run)
    .toSorted((one, other) => one.iteration - other.iteration)
    .map(({ taskId, iteration }) => ({
      ...{ task_id: taskId, attempt: attemptNumber(taskStateOf(state, taskId)), iteration },
    }));
}
