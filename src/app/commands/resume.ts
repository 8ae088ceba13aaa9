import { didYouMean } from 'ralph-kit/nearest';
import { type SnakeKeys, snakeKeys } from 'ralph-kit/snake-keys';
import { unreachable } from 'ralph-kit/unreachable';
import { configuredLimits } from '../../decide/index.ts';
import { EXIT } from '../../domain/exit.ts';
import {
  type IncidentReport,
  type IncidentSummary,
  openIncidents,
  RESUME_OPTIONS,
  type ResumeOption,
  resumeCommand,
} from '../../domain/incident.ts';
import type { Limits } from '../../domain/intervention.ts';
import { hasBudget } from '../../domain/policy.ts';
import { controlOf } from '../../domain/records/run-control.ts';
import { taskStateOf, workplaceStateOf } from '../../domain/records/state.ts';
import { budgetLimits, showStatus } from '../../loop/index.ts';
import { recoveryOptions, stricterLimits } from '../../respond/intervene/index.ts';
import { RESUME, unblockCommand } from '../../tell/index.ts';
import { type RollbackData, restoreCheckpoint } from '../records/restore-checkpoint.ts';
import { type DataOf, type Failure, failure, success } from '../result.ts';
import { chooseAgents } from '../setup/choose-agent.ts';
import { inProject, type Project } from '../setup/project.ts';
import { withRunLock } from '../setup/run-lock.ts';
import { type CleanUpItem, cleanUpAfter } from '../setup/tidy-up.ts';
import { type ProjectInput, whatContinues } from '../setup/workspace.ts';
import { findIncident, readIncident } from './incidents.ts';
import { activeIn } from './running/control-run.ts';

export type ResumeInput = ProjectInput & {
  /** Id or number of an incident, `INC-3` or `3`; `null`: the only open one. */
  readonly id: string | null;
  /** Name of the option as typed; `null`: the options are listed. */
  readonly option: string | null;
  readonly reason: string | null;
  /** Asks you for an option; `null`: there is no terminal. The answer `null` means that you chose none now. */
  readonly ask: ((choices: Choices) => Promise<ResumeOption | null>) | null;
};

export type Choices = ReturnType<typeof choices>;

export type ResumeResult = DataOf<typeof resume>;

/** Resolves an emergency stop. Without an option, returns the options and exit code 2. */
export async function resume(input: ResumeInput) {
  const option = readOption(input.option);
  if (option !== null && typeof option !== 'string') return option;
  return inProject(input, async (project) => {
    if (input.id === null && option === null && openIncidents(project.store.state).length === 0) {
      if (isPolicyToResume(project))
        return withRunLock(project, 'resume', () => resumePolicies(project, input.reason ?? ''));
    }
    const chosen = await choose(project, input.id);
    if (!chosen.ok) return chosen;
    const { id } = chosen.incident;
    const offered = choices(project, chosen.incident);
    const wanted = option ?? (await input.ask?.(offered)) ?? null;
    if (wanted === null) return success(offered, EXIT.usage);
    return withRunLock(project, 'resume', async () => {
      // Another process may have resolved the stop meanwhile.
      project.store.refresh();
      const again = await choose(project, id);
      return again.ok ? carryOut(project, again.incident, wanted, input.reason ?? '') : again;
    });
  });
}

/** Returns whether a policy stopped the runs or will stop the next one, or a spent budget can be replaced by a new one. */
function isPolicyToResume({ store, config }: Project): boolean {
  const { stop, armed, budget } = store.refresh().policy;
  return stop !== null || armed !== null || (hasBudget(budgetLimits(config)) && budget.since !== null);
}

/** Lets runs continue after a policy stop, with its counters at zero. */
async function resumePolicies(project: Project, reason: string) {
  const { store, config } = project;
  const { stop, budget } = store.state.policy;
  store.commit(() => [{ type: 'stop_resolved', reason, incident: null }]);
  store.writeViews();
  const limits = budgetLimits(config);
  return success({
    policy: stop === null ? null : { stopped_by: stop.kind, run: stop.run, reason: stop.reason },
    new_budget: hasBudget(limits) ? { limits, spent_before: budget.spent } : null,
    reason,
    next: await whatContinues(project),
  });
}

function readOption(text: string | null): ResumeOption | Failure | null {
  if (text === null) return null;
  const wanted = text.replaceAll('-', '_');
  const option = RESUME_OPTIONS.find((one) => one === wanted);
  if (option !== undefined) return option;
  return failure(
    `--option ${text} is not known.${didYouMean(wanted, RESUME_OPTIONS)} Known: ${RESUME_OPTIONS.join(', ')}.`,
    RESUME,
  );
}

async function choose(
  project: Project,
  id: string | null,
): Promise<{ readonly ok: true; readonly incident: IncidentSummary } | Failure> {
  const { store } = project;
  if (id === null) {
    const open = openIncidents(store.state);
    const [incident] = open;
    if (incident === undefined) return failure('No incident is open.', await nextWithout(project));
    if (open.length === 1) return { ok: true, incident };
    const ids = open.map((one) => one.id);
    return failure(
      `${open.length} incidents are open: ${ids.join(', ')}. Which one?`,
      resumeCommand(open[0]?.id ?? ''),
    );
  }
  const found = findIncident(store.state, id);
  if (!found.ok) return found;
  const { resolved } = found.incident;
  if (resolved === null) return found;
  const reason = resolved.reason === '' ? '' : ` (${resolved.reason})`;
  return failure(
    `${found.incident.id} was already resolved, at ${resolved.at} with ${resolved.option}${reason}. Nothing was changed.`,
    `ralph incidents show ${found.incident.id}`,
  );
}

/** Returns the command for the case that no incident is open: you may have meant a paused run. */
async function nextWithout(project: Project): Promise<string> {
  const active = activeIn(project);
  if (active === null) return whatContinues(project);
  return controlOf(project.store.state, active.run).pausedAt === null ? 'ralph status' : 'ralph continue';
}

function choices(project: Project, incident: IncidentSummary) {
  const read = readIncident(project, incident.id);
  const checkpoint = checkpointOf(project, read.ok ? read.report : null);
  const limits = notReviewed(project);
  const against = { rollback: doneSince(project, incident), limits, manual: limits };
  return {
    incident: snakeKeys(incident),
    checkpoint,
    options: recoveryOptions(incident.id, incident.taskId, checkpoint, against),
  };
}

function doneSince({ store }: Project, { iteration, taskId }: IncidentSummary): string | null {
  const since = Object.entries(store.state.tasks).flatMap(([id, { doneBy }]) =>
    id !== taskId && doneBy?.kind === 'verdict' && doneBy.iteration > iteration ? [id] : [],
  );
  if (since.length === 0) return null;
  return `${since.join(', ')} got done since, and going back would undo that, too`;
}

function notReviewed(project: Project): string | null {
  const agents = chooseAgents(project.root, project.config);
  // The run itself reports other problems with the agent.
  if (!agents.ok) return null;
  const [{ name, hook }] = agents.adapters;
  if (!project.config.review.enabled)
    return '[review] enabled = false, so actions are not reviewed before they happen';
  return hook === null
    ? `the actions of ${name} can't be reviewed before they happen; set another [loop] agent`
    : null;
}

/** Checkpoint named in the report, or the newest safe one on record if the report names none or is unreadable. */
function checkpointOf({ store, config, workplace }: Project, report: IncidentReport | null): string | null {
  const named = report?.state_snapshot.checkpoint ?? null;
  if (named !== null) return named;
  const { min_success_rate } = config.interventions.safe_checkpoint;
  const safe = workplaceStateOf(store.state, workplace).checkpoints.findLast(
    ({ gateSuccess }) => gateSuccess >= min_success_rate,
  );
  return safe?.id ?? null;
}

async function carryOut(project: Project, incident: IncidentSummary, option: ResumeOption, reason: string) {
  const { store } = project;
  const { id: incidentId, taskId } = incident;
  const done = await perform(project, incident, option);
  if (!done.ok) return done;
  const { effects, limits } = done;
  store.commit(() => [
    { type: 'stop_resolved', reason, incident: { id: incidentId, option, taskId, limits } },
  ]);
  // A missing mark would later look as if you had removed it.
  const warnings = option === 'abort' ? await showStatus(project, [taskId], 'blocked') : [];
  store.writeViews();
  const open = openIncidents(store.state).map(({ id }) => id);
  return success({
    incident: incidentId,
    task_id: taskId,
    option,
    reason,
    ...effects,
    ...(warnings.length === 0 ? {} : { warnings }),
    still_open: open,
    next: await nextAfter(project, option, taskId),
  });
}

type Effects = {
  readonly limits?: SnakeKeys<Limits>;
  readonly rollback?: RollbackData;
  readonly cleanup?: readonly CleanUpItem[];
};

type Performed = {
  readonly ok: true;
  readonly effects: Effects;
  readonly limits: Limits | null;
};

async function perform(
  project: Project,
  incident: IncidentSummary,
  option: ResumeOption,
): Promise<Performed | Failure> {
  const { id, taskId } = incident;
  const refused = choices(project, incident).options.find((one) => one.option === option && !one.possible);
  if (refused !== undefined) {
    return failure(`${option}: ${refused.description} Nothing was changed.`, resumeCommand(id));
  }
  const read = readIncident(project, id);
  const report = read.ok ? read.report : null;
  const done = (effects: Effects, limits: Limits | null = null): Performed => ({ ok: true, effects, limits });
  switch (option) {
    case 'resume_with_limits': {
      const limits = stricterLimits(
        report?.state_snapshot.limits ?? configuredLimits(project.config),
        report?.resource_usage ?? { fileOperations: 0, memoryMb: 0, tokens: 0, durationMs: 0 },
      );
      return done({ limits: snakeKeys(limits) }, limits);
    }
    case 'rollback_and_retry': {
      const checkpoint = checkpointOf(project, report);
      if (checkpoint === null) throw new Error('refused above');
      const back = await restoreCheckpoint(project, checkpoint);
      return back.ok ? done({ rollback: back.data }) : back;
    }
    case 'manual_intervention':
      return done({});
    case 'abort':
      return done({ cleanup: await cleanUpAfter(project, taskStateOf(project.store.state, taskId)) });
    default:
      return unreachable(option);
  }
}

async function nextAfter(project: Project, option: ResumeOption, taskId: string): Promise<string> {
  const [open] = openIncidents(project.store.state);
  if (open !== undefined) return resumeCommand(open.id);
  return option === 'abort' ? unblockCommand(taskId) : whatContinues(project);
}
