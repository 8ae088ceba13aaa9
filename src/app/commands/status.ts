import { snakeKeys } from 'ralph-kit/snake-keys';
import { selectTask, workersAt } from '../../decide/index.ts';
import { pausingIncident } from '../../domain/incident.ts';
import { hasBudget, spentUntil } from '../../domain/policy.ts';
import { controlOf } from '../../domain/records/run-control.ts';
import { openIterations, type State } from '../../domain/records/state.ts';
import { countTasks } from '../../domain/task.ts';
import { resultsThatWait } from '../../domain/work-place.ts';
import { systemClock } from '../../io/clock.ts';
import { budgetLimits } from '../../loop/index.ts';

import { countsText, didSomething, nextCommands, RUN, storyOf } from '../../tell/index.ts';
import { type DataOf, success } from '../result.ts';
import { noteDoTask } from '../setup/do-task.ts';
import { timeoutFields } from '../setup/timeout-of.ts';
import { inTaskList, type ProjectInput, runLockHolder, type TaskList } from '../setup/workspace.ts';
import { nightIn, nowOf, reportOf } from './report.ts';

const EVENTS_SHOWN = 5;
const STORY_READ = 100;

export type StatusResult = DataOf<typeof status>;

export function status(input: ProjectInput) {
  return inTaskList(input, async (list) => {
    noteDoTask(list.project, input.onNotice);
    return success(await statusOf(list));
  });
}

export async function statusOf(list: TaskList) {
  const { project, tracker, tasks } = list;
  const { state } = project.store;
  const holder = runLockHolder(project);
  const worked = state.runs.findLast((run) => didSomething(run, holder?.run ?? null));
  const { open, ...now } = nowOf(list);
  const { continues } = now;
  const last = worked === undefined ? null : reportOf(list, [worked.run], now);
  // `ralph report` covers the same runs, so both name the same commands.
  const night = holder === null ? nightIn(list) : [];
  const reported = night.length > 1 ? reportOf(list, night, now) : last;
  const incident = pausingIncident(state);
  const waiting = resultsThatWait(state, tasks);
  const [current = null, ...others] = holder === null ? [] : await attemptsOf(list);
  return {
    tracker: tracker.name,
    /** Tasks that stay done or blocked although their marks were removed from the list. */
    taken_back: tracker.takenBack.map(({ taskId: task_id, mark }) => ({ task_id, mark })),
    tasks: countTasks(tasks),
    counts: countsText(countTasks(tasks), open, waiting.length),
    running:
      holder === null
        ? null
        : { pid: holder.pid, host: holder.host, run: holder.run, ...askedOf(state, holder.run) },
    current,
    others,
    next: nextOf(list, new Set([current, ...others].flatMap((one) => one?.task_id ?? []))),
    incident: snakeKeys(incident),
    /** Limits and spending of the budget; `null`: there is no budget. */
    budget: budgetOf(list),
    /** What stops runs until you act; `null`: nothing does. */
    policy_stop: continues === RUN ? null : snakeKeys(state.policy.stop),
    unfinished: snakeKeys(open),
    not_committed: waiting,
    last_run: snakeKeys(last?.ok === true ? last.report : null),
    commands:
      reported?.ok === true && holder === null
        ? reported.report.next
        : nextCommands({ state, continues, open, waiting, running: holder !== null, done: [], ending: null }),
    last_attempt: snakeKeys(state.lastAttempt),
    unavailable: Object.values(state.profiles).flatMap(({ agentId, unavailable }) =>
      unavailable === null ? [] : [{ agent: agentId, ...snakeKeys(unavailable) }],
    ),
    events: state.events.slice(-EVENTS_SHOWN),
    story: storyOf(state.events.slice(-STORY_READ))
      .slice(-EVENTS_SHOWN)
      .map((entry) => snakeKeys(entry)),
    notices: project.notices,
  };
}

function budgetOf({ project }: TaskList) {
  const limits = budgetLimits(project.config);
  const { budget } = project.store.state.policy;
  if (!hasBudget(limits)) return null;
  const now = runLockHolder(project) === null ? (budget.activeAt ?? '') : systemClock().now();
  const spent = budget.since === null ? budget.spent : spentUntil(budget, now);
  return { limits, spent, since: budget.since };
}

function askedOf(state: State, run: string | null) {
  const { stop, pausedAt } = controlOf(state, run ?? '');
  return { stopping: stop !== null, paused_since: pausedAt };
}

async function attemptsOf({ project, tasks }: TaskList) {
  const { worktree } = project.workplace;
  const { state } = project.store;
  const open = openIterations(state, worktree);
  if (open.length === 0) return [];
  const atWork = workersAt({ state, tasks, worktree });
  // Agents' output is read only while a run is active, so its reader is loaded only then.
  const { reportedSoFar } = await import('../setup/reported-so-far.ts');
  return open
    .toSorted((one, other) => one.iteration - other.iteration)
    .map((one) => {
      const { taskId, iteration, agent, startedAt, timeoutSeconds } = one;
      const at = atWork.find((each) => each.iteration === iteration);
      const { model, sessionId } = reportedSoFar(project, one);
      return {
        task_id: taskId,
        title: tasks.find(({ id }) => id === taskId)?.title ?? taskId,
        worker: at?.worker ?? 1,
        phase: at?.phase ?? 'agent',
        phase_since: at?.since ?? startedAt,
        place: at?.place ?? null,
        iteration,
        agent,
        model,
        session_id: sessionId,
        started_at: startedAt,
        timeout_seconds: timeoutSeconds,
      };
    });
}

function nextOf({ project, tasks }: TaskList, atWork: ReadonlySet<string>) {
  const { state } = project.store;
  const pick = selectTask(tasks, state.tasks, null, atWork, state.first);
  if (pick.kind !== 'task') return null;
  const { task, why } = pick;
  return { task_id: task.id, title: task.title, why, ...timeoutFields(project, task) };
}
