import { hostname } from 'node:os';
import { join } from 'node:path';
import { attemptNumber, countTasks, endingOfPick, promptFor, timeoutFor } from '../../decide/index.ts';
import { openIncidents } from '../../domain/incident.ts';
import { emptyProfile } from '../../domain/profile.ts';
import { taskStateOf } from '../../domain/state.ts';
import type { Task } from '../../domain/task.ts';
import { systemClock } from '../../io/clock.ts';
import { liveHolder } from '../../io/store/index.ts';
import { secretsFromEnv } from '../../lib/redact.ts';
import { loadTasks } from '../../loop/index.ts';
import { explainTasks, selectTask } from '../../tasks/index.ts';
import { type CommandResult, type Failure, failure, success } from '../result.ts';
import { openWorkspace, type ProjectInput, storeFailure, type Workspace } from '../setup/project.ts';
import { snakeKeys } from '../snake-keys.ts';
import { blockedEntry } from './blocked-entry.ts';
import { waitingEntries } from './waiting-entries.ts';

type Loaded = { readonly project: Workspace; readonly tasks: readonly Task[]; readonly tracker: string };

async function load(input: ProjectInput): Promise<({ readonly ok: true } & Loaded) | Failure> {
  const opened = await openWorkspace(input);
  if (!opened.ok) return opened;
  const { project } = opened;
  const loaded = await loadTasks({ ports: project });
  if (!loaded.ok) return failure(loaded.message);
  return { ok: true, project, tasks: loaded.tasks, tracker: loaded.tracker.name };
}

/** With what the agent of the coming run has learned, as far as its name is known before one is looked for. */
function timeoutOf({ store, config, mode }: Workspace, task: Task) {
  const agent = config.loop.agent === 'auto' ? store.state.runs.at(-1)?.agent : config.loop.agent;
  const profiles = store.state.profiles;
  const profile = agent !== undefined && Object.hasOwn(profiles, agent) ? profiles[agent] : undefined;
  return timeoutFor({
    task,
    taskState: taskStateOf(store.state, task.id),
    profile: profile ?? emptyProfile(agent ?? ''),
    mode,
    settings: config.adaptive_timeout,
  });
}

/** What is said of a task's time limit wherever a task is shown. */
function timeoutFields(project: Workspace, task: Task) {
  const { seconds, reason, level, warning } = timeoutOf(project, task);
  return { complexity: level, timeout_seconds: seconds, timeout_reason: reason, timeout_warning: warning };
}

/** `ralph status`: the run, the counts, the task that is next or under way, the last events. */
export async function status(input: ProjectInput): Promise<CommandResult> {
  const loaded = await load(input);
  if (!loaded.ok) return loaded;
  const { project, tasks, tracker } = loaded;
  const { state } = project.store;
  const holder = liveHolder(join(project.root, '.ralph', 'run.lock'), hostname());
  const lastRun = state.runs.at(-1) ?? null;
  const current = holder === null ? null : state.openIteration;
  const pick = selectTask(tasks, state.tasks, null);
  const nextTask = pick.kind === 'task' ? pick.task : null;
  const openIncident = openIncidents(state).at(-1);
  return success({
    tracker,
    tasks: countTasks(tasks),
    running: holder === null ? null : { pid: holder.pid, host: holder.host, run: holder.run },
    current:
      current === null
        ? null
        : {
            task_id: current.taskId,
            title: tasks.find(({ id }) => id === current.taskId)?.title ?? current.taskId,
            iteration: current.iteration,
            agent: current.agent,
            started_at: current.startedAt,
            timeout_seconds: current.timeoutSeconds,
          },
    next:
      nextTask === null
        ? null
        : {
            task_id: nextTask.id,
            title: nextTask.title,
            why: pick.kind === 'task' ? pick.why : '',
            ...timeoutFields(project, nextTask),
          },
    incident: openIncident === undefined ? null : snakeKeys(openIncident),
    parked: tasks.flatMap(({ id, title }) => {
      const { parked, parkedBecause } = taskStateOf(state, id);
      return parked ? [{ task_id: id, title, why: parkedBecause }] : [];
    }),
    last_run: lastRun === null ? null : snakeKeys(lastRun),
    unavailable: Object.values(state.profiles).flatMap(({ agentId, unavailable }) =>
      unavailable === null ? [] : [{ agent: agentId, ...(snakeKeys(unavailable) as object) }],
    ),
    events: state.events.slice(-5),
    notices: project.notices,
  });
}

/** `ralph tasks`: the list with what ralph knows of each. */
export async function tasks(input: ProjectInput): Promise<CommandResult> {
  const loaded = await load(input);
  if (!loaded.ok) return loaded;
  const { project } = loaded;
  return success({
    tracker: loaded.tracker,
    tasks: loaded.tasks.map((task) => {
      const state = taskStateOf(project.store.state, task.id);
      return {
        id: task.id,
        title: task.title,
        status: task.status,
        kind: task.kind,
        priority: task.priority,
        depends_on: task.dependsOn,
        acceptance: task.acceptance,
        ...timeoutFields(project, task),
        attempts: attemptNumber(state) - 1,
        blocked:
          state.blocked === null ? null : { reason: state.blocked.reason, detail: state.blocked.detail },
      };
    }),
  });
}

/** Why a task is taken for what it is taken for. */
function classificationFields(project: Workspace, task: Task) {
  const { source, reason, matches, criteria, raised } = timeoutOf(project, task).classification;
  return { complexity_source: source, complexity_reason: reason, matches, criteria, raised };
}

/** `ralph explain [TASK]`: why this task, why this timeout, and for every other task why not. */
export async function explain(
  input: ProjectInput & { readonly task: string | null },
): Promise<CommandResult> {
  const loaded = await load(input);
  if (!loaded.ok) return loaded;
  const { project, tasks } = loaded;
  const explained = explainTasks(tasks, project.store.state.tasks, input.task);
  const { pick } = explained;
  if (pick.kind === 'unknown_task') return failure(endingOfPick(pick).reason, 'ralph tasks');
  const task = pick.kind === 'task' || pick.kind === 'not_selectable' ? pick.task : null;
  const state = task === null ? null : taskStateOf(project.store.state, task.id);
  return success({
    outcome: pick.kind,
    task:
      task === null || state === null
        ? null
        : {
            id: task.id,
            title: task.title,
            status: task.status,
            why: pick.kind === 'task' || pick.kind === 'not_selectable' ? pick.why : '',
            selectable: pick.kind === 'task',
            ...timeoutFields(project, task),
            ...classificationFields(project, task),
            attempts: state.attempts.map((attempt) => ({
              iteration: attempt.iteration,
              agent: attempt.agent,
              verdict: attempt.verdict,
              cause: attempt.cause,
              duration_ms: attempt.durationMs,
              files_changed: attempt.filesChanged,
            })),
            blocked:
              state.blocked === null ? null : { reason: state.blocked.reason, detail: state.blocked.detail },
          },
    others: explained.others,
  });
}

/** `ralph prompt [TASK]`: exactly what would be sent. */
export async function prompt(
  input: ProjectInput & { readonly task: string | null },
): Promise<CommandResult<{ task_id: string; prompt: string }>> {
  const loaded = await load(input);
  if (!loaded.ok) return loaded;
  const { project, tasks } = loaded;
  const pick = selectTask(tasks, project.store.state.tasks, input.task);
  if (pick.kind === 'unknown_task') return failure(endingOfPick(pick).reason, 'ralph tasks');
  if (pick.kind !== 'task' && pick.kind !== 'not_selectable') {
    return failure('There is no task to write a prompt for: nothing is ready.', 'ralph explain');
  }
  const { task } = pick;
  try {
    return rendered(project, tasks, task);
  } catch (error) {
    return storeFailure(error);
  }
}

function rendered(
  project: Workspace,
  tasks: readonly Task[],
  task: Task,
): CommandResult<{ task_id: string; prompt: string }> {
  const { agent } = project.config.loop;
  const prompt = promptFor({
    config: project.config,
    gates: project.gates,
    agent,
    state: project.store.state,
    tasks,
    task,
    timeoutSeconds: timeoutOf(project, task).seconds,
    now: systemClock().now(),
    readFile: project.readFile,
  });
  if (!prompt.ok) return failure(prompt.message);
  return success({ task_id: task.id, prompt: prompt.prompt });
}

/** `ralph blocked`: the blocked tasks with the reason and the time spent. */
export async function blocked(input: ProjectInput): Promise<CommandResult> {
  const loaded = await load(input);
  if (!loaded.ok) return loaded;
  const { project } = loaded;
  const secrets = secretsFromEnv(process.env);
  const entries = loaded.tasks
    .filter(({ status }) => status === 'blocked')
    .map((task) => blockedEntry(task, taskStateOf(project.store.state, task.id), secrets));
  return success({ blocked: entries, waiting: waitingEntries(loaded.tasks) });
}
