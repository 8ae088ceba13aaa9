import { basename } from 'node:path';
import { tryOr } from 'ralph-kit/try-or';
import { attemptNumber } from '../../../decide/index.ts';
import { controlOf, type RunControl, type RunRequest } from '../../../domain/records/run-control.ts';
import { openIterations, type State, taskStateOf } from '../../../domain/records/state.ts';
import { type DataOf, type Failure, failure, success } from '../../result.ts';
import { ralphFolder } from '../../setup/ralph-folder.ts';
import { type ActiveRun, activeRun } from '../../setup/run-lock.ts';
import { stateHomeOf } from '../../setup/state-home.ts';
import { workTreeAt } from '../../setup/work-tree.ts';
import { inWorkspace, type ProjectInput, type Workspace, whatContinues } from '../../setup/workspace.ts';

export type ControlResult = DataOf<typeof controlRun>;

export const NO_RUN = 'No run is active here.';

export async function controlRun(input: ProjectInput & { readonly request: RunRequest }) {
  const { request } = input;
  if (request === 'stop_now') return stopNow(input);
  const recorded = await record(input, request);
  return recorded.ok ? success({ request, ...recorded.data }) : recorded;
}

/** Sends SIGINT to the run, whether or not the request can be recorded. */
async function stopNow(input: ProjectInput) {
  const found = await workTreeAt(input.cwd);
  if (!found.ok) return found;
  const { gitDir, commonDir } = found;
  const worktree = gitDir === commonDir ? 'main' : basename(gitDir);
  const place = { folder: ralphFolder(found).folder, stateHome: stateHomeOf(commonDir), worktree };
  const active = activeRun(place);
  if (active === null) return failure(NO_RUN, 'ralph status');
  const { run, pid, host, isSure } = active;
  if (!isSure) {
    return failure(`${run} is process ${pid} on ${host}, which can't be ended from here.`, 'ralph stop');
  }
  // Signal 0 shows, before anything is recorded, whether this user may signal the run.
  if (!isSignalled(pid, 0)) return failure(`${run} is process ${pid}, which isn't yours.`, 'ralph stop');
  const recorded = await record(input, 'stop_now');
  if (activeRun(place)?.pid === pid) isSignalled(pid, 'SIGINT');
  const { attempt, others } = recorded.ok ? recorded.data : { attempt: null, others: [] };
  return success({ request: 'stop_now' as const, run, attempt, others, already: false });
}

/** Sends a signal. Returns false for a process that has ended or belongs to another user. */
function isSignalled(pid: number, signal: NodeJS.Signals | 0): boolean {
  return tryOr(false, () => process.kill(pid, signal));
}

/** Records your request in the journal. The run reads it between two attempts. */
function record(input: ProjectInput, request: RunRequest) {
  return inWorkspace(input, async (workspace) => {
    const active = activeIn(workspace);
    if (active === null)
      return failure(NO_RUN, request === 'continue' ? await whatContinues(workspace) : 'ralph status');
    const { run } = active;
    const { store } = workspace;
    const control = controlOf(store.state, run);
    const refused = refusal(run, control, request);
    if (refused !== null) return refused;
    const already = isAsked(control, request);
    // The run may have ended since it was looked up.
    if (!already)
      store.commit(() =>
        activeIn(workspace)?.run === run ? [{ type: 'run_requested', run, request, worker: null }] : [],
      );
    const [attempt = null, ...others] = attemptsOf(store.state, run);
    return success({ run, attempt, others, already });
  });
}

export function activeIn({ folder, stateHome, workplace, store }: Workspace): ActiveRun | null {
  const active = activeRun({ folder, stateHome, worktree: workplace.worktree });
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

function attemptsOf(state: State, run: string) {
  return openIterations(state)
    .filter((one) => one.run === run)
    .toSorted((one, other) => one.iteration - other.iteration)
    .map(({ taskId, iteration }) => ({
      task_id: taskId,
      attempt: attemptNumber(taskStateOf(state, taskId)),
      iteration,
    }));
}
