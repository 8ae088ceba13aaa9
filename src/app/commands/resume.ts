import { configuredLimits } from '../../decide/index.ts';
import { EXIT } from '../../domain/exit.ts';
import {
  type IncidentReport,
  type IncidentSummary,
  openIncidents,
  RESUME_OPTIONS,
  type ResumeOption,
} from '../../domain/incident.ts';
import type { Limits } from '../../domain/intervention.ts';
import { StoreError } from '../../domain/ports.ts';
import { taskStateOf } from '../../domain/state.ts';
import { recoveryOptions, stricterLimits } from '../../intervene/index.ts';
import { GitError } from '../../io/git/index.ts';
import { nearest } from '../../lib/nearest.ts';
import { unreachable } from '../../lib/unreachable.ts';
import { type CommandResult, type Failure, failure, success } from '../result.ts';
import { cleanUpAfter } from '../setup/clean-up-task.ts';
import { openProject, type Project, type ProjectInput, storeFailure } from '../setup/project.ts';
import { snakeKeys } from '../snake-keys.ts';
import { findIncident, readIncident } from './incidents.ts';
import { locked, rollBack } from './rollback.ts';

export type ResumeInput = ProjectInput & {
  /** `INC-3` or `3`; `null`: the only one that is open. */
  readonly id: string | null;
  /** As typed; `null`: what there is to choose from. */
  readonly option: string | null;
  readonly reason: string | null;
};

/** What an option came to, for the result. */
type Done = { readonly ok: true; readonly data: Record<string, unknown>; readonly limits: Limits | null };

/** `ralph resume [ID]`: what is done about an emergency stop; without an option what there is to choose from (exit 2). */
export async function resume(input: ResumeInput): Promise<CommandResult> {
  const option = readOption(input.option);
  if (option !== null && typeof option !== 'string') return option;
  const opened = await openProject(input);
  if (!opened.ok) return opened;
  const { project } = opened;
  const chosen = choose(project, input.id);
  if (!chosen.ok) return chosen;
  const { incident } = chosen;
  if (option === null) return success(choices(project, incident), EXIT.usage);
  try {
    return await locked(project, 'resume', async () => {
      // Somebody else may have been faster.
      project.store.refresh();
      const again = choose(project, incident.id);
      return again.ok ? carryOut(project, again.incident, option, input.reason ?? '') : again;
    });
  } catch (error) {
    if (error instanceof GitError) return failure(error.message, null, EXIT.unexpected);
    return storeFailure(error);
  }
}

function readOption(text: string | null): ResumeOption | Failure | null {
  if (text === null) return null;
  const wanted = text.replaceAll('-', '_');
  const option = RESUME_OPTIONS.find((one) => one === wanted);
  if (option !== undefined) return option;
  const near = nearest(wanted, RESUME_OPTIONS);
  return failure(
    `--option ${text} is not known.${near === null ? '' : ` Did you mean ${near}?`} Known: ${RESUME_OPTIONS.join(', ')}.`,
    'ralph resume',
  );
}

function choose(
  { store }: Project,
  id: string | null,
): { readonly ok: true; readonly incident: IncidentSummary } | Failure {
  if (id === null) {
    const open = openIncidents(store.state);
    const [incident] = open;
    if (incident === undefined)
      return failure('No incident is open: there is nothing to resume.', 'ralph run');
    if (open.length === 1) return { ok: true, incident };
    const ids = open.map((one) => one.id);
    return failure(
      `${open.length} incidents are open: ${ids.join(', ')}. Which one?`,
      `ralph resume ${ids[0]}`,
    );
  }
  const found = findIncident(store.state, id);
  if (!found.ok) return found;
  const { resolved } = found.incident;
  if (resolved === null) return found;
  const reason = resolved.reason === '' ? '' : ` (${resolved.reason})`;
  return failure(
    `${found.incident.id} was resolved already, at ${resolved.at} with ${resolved.option}${reason}. Nothing was changed.`,
    `ralph incidents show ${found.incident.id}`,
  );
}

/** The options of an incident, each with its command and whether it can be chosen. */
function choices(project: Project, incident: IncidentSummary): Record<string, unknown> {
  const read = readIncident(project, incident.id);
  const checkpoint = checkpointOf(project, read.ok ? read.report : null);
  return {
    incident: snakeKeys(incident),
    checkpoint,
    options: recoveryOptions(incident.id, incident.taskId, checkpoint),
  };
}

/** What the report goes back to; of one that cannot be read or names none, the newest safe checkpoint on record. */
function checkpointOf({ store, config }: Project, report: IncidentReport | null): string | null {
  const named = report?.state_snapshot.checkpoint ?? null;
  if (named !== null) return named;
  const { min_success_rate } = config.interventions.safe_checkpoint;
  const safe = store.state.checkpoints.findLast(({ gateSuccess }) => gateSuccess >= min_success_rate);
  return safe?.id ?? null;
}

async function carryOut(
  project: Project,
  incident: IncidentSummary,
  option: ResumeOption,
  reason: string,
): Promise<CommandResult> {
  const { store } = project;
  const { id, taskId } = incident;
  const done = await perform(project, incident, option);
  if (!done.ok) return done;
  const { limits } = done;
  store.commit(() => [
    {
      type: 'incident_resolved',
      incident: id,
      option,
      reason,
      taskId,
      limits,
    },
  ]);
  const warnings = option === 'abort' ? await markBlocked(project, taskId) : [];
  store.writeViews();
  const open = openIncidents(store.state).map((one) => one.id);
  return success({
    incident: id,
    task_id: taskId,
    option,
    reason,
    ...done.data,
    ...(warnings.length === 0 ? {} : { warnings }),
    still_open: open,
    next: open[0] === undefined ? nextOf(option, taskId) : `ralph resume ${open[0]}`,
  });
}

/** In the task list, too: without the mark a later look would take it for one that a person took away. */
async function markBlocked({ tracker }: Project, taskId: string): Promise<string[]> {
  try {
    await tracker.setStatus(taskId, 'blocked');
    return [];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [`${taskId} could not be marked in the task list: ${error.message}`];
  }
}

async function perform(
  project: Project,
  incident: IncidentSummary,
  option: ResumeOption,
): Promise<Done | Failure> {
  const { id, taskId } = incident;
  const read = readIncident(project, id);
  const report = read.ok ? read.report : null;
  switch (option) {
    case 'resume_with_limits': {
      const limits = stricterLimits(
        report?.state_snapshot.limits ?? configuredLimits(project.config),
        report?.resource_usage ?? { fileOperations: 0, memoryMb: 0, tokens: 0, durationMs: 0 },
      );
      return { ok: true, limits, data: { limits: snakeKeys(limits) } };
    }
    case 'rollback_and_retry': {
      const checkpoint = checkpointOf(project, report);
      if (checkpoint === null) {
        return failure(
          `There is no safe checkpoint from before ${id} to go back to. Nothing was changed.`,
          `ralph resume ${id} --option manual_intervention`,
        );
      }
      const back = await rollBack(project, { checkpoint });
      return back.ok ? { ok: true, limits: null, data: { rollback: back.data } } : back;
    }
    case 'manual_intervention':
      return { ok: true, limits: null, data: {} };
    case 'abort': {
      const task = taskStateOf(project.store.state, taskId);
      return { ok: true, limits: null, data: { cleanup: await cleanUpAfter(project, task) } };
    }
    default:
      return unreachable(option);
  }
}

function nextOf(option: ResumeOption, taskId: string): string {
  return option === 'manual_intervention' || option === 'abort' ? `ralph unblock ${taskId}` : 'ralph run';
}
