import { own } from 'ralph-kit/own';
import { snakeKeys } from 'ralph-kit/snake-keys';
import { answerRow, endingOfPick, explainTasks, suggestFor } from '../../decide/index.ts';
import { failedTries, recoveryPath } from '../../domain/human/recovery.ts';
import { type TaskState, taskStateOf } from '../../domain/records/state.ts';
import { givenUpText, type Task } from '../../domain/task.ts';
import { timesReplaced } from '../../domain/workflow/roles.ts';

import { waitsForYou } from '../../tell/index.ts';
import { type DataOf, failure, success } from '../result.ts';
import { chooseAgents } from '../setup/choose-agent.ts';
import { timeoutFields, timeoutOf } from '../setup/timeout-of.ts';
import { workflowSetup } from '../setup/workflow/workflow-setup.ts';
import { inTaskList, type ProjectInput, type TaskList, type Workspace } from '../setup/workspace.ts';
import { placesIn } from './queue.ts';

export type ExplainResult = DataOf<typeof explain>;

export function explain(input: ProjectInput & { readonly task: string | null }) {
  return inTaskList(input, (list) => {
    const { project, tasks } = list;
    const { state } = project.store;
    const { pick, others } = explainTasks(tasks, state.tasks, input.task, state.first);
    if (pick.kind === 'unknown_task')
      return failure(givenUpText(pick.id, list.tracker.givenUp) ?? endingOfPick(pick).reason, 'ralph tasks');
    const shown = pick.kind === 'not_selectable' ? pick.tasks[0] : pick.kind === 'task' ? pick : null;
    const task = shown === null ? null : explained(list, shown.task, shown.why, pick.kind === 'task');
    return success({ outcome: pick.kind, task, others });
  });
}

/** Roles with their agents, and reviews of the task in this series; `null`: one agent works alone. */
function workflowOf({ root, config, store }: Workspace, task: Task) {
  const { kind, max_cycles } = config.workflow;
  if (kind === 'solo') return null;
  const agents = chooseAgents(root, config);
  const setup = agents.ok ? workflowSetup(root, config, agents.adapters) : agents;
  const byRole = setup.ok ? [...(setup.workflow?.agents ?? [])] : [];
  const workflow = taskStateOf(store.state, task.id).workflow;
  return {
    kind,
    max_cycles,
    cycles: workflow?.cycles ?? 0,
    has_plan: workflow !== null && workflow.plan !== null,
    problem: setup.ok ? null : setup.message,
    roles: byRole.map(([role, { first }]) => ({
      role,
      agent: first.adapter.name,
      model: first.model ?? first.adapter.model,
      replaced: timesReplaced(workflow, role),
    })),
    reviews: (workflow?.reviews ?? []).map(({ cycle, role, verdict, findings }) => ({
      cycle,
      role,
      verdict,
      findings: findings.map(({ severity, file, line, claim }) => ({ severity, file, line, claim })),
    })),
    issues: (workflow?.issues ?? []).map(({ issue, times, step }) => ({ issue, times, step })),
  };
}

function answerOf({ project, tracker }: TaskList, task: Task, taskState: TaskState) {
  const { config, exists, store } = project;
  const { state } = store;
  const options = { state, config, tracker: tracker.name, exists };
  const blocked = taskState.blocked === null ? null : suggestFor(task, options).command;
  const { loop, modes, interventions } = config;
  return answerRow({
    task: taskState,
    maxAttempts: own(modes, loop.mode)?.max_attempts_per_task ?? loop.max_attempts_per_task,
    settings: interventions,
    effectiveness: state.interventionStats.cells,
    command: blocked ?? waitsForYou(state, task)?.command ?? null,
  });
}

function explained(list: TaskList, task: Task, why: string, selectable: boolean) {
  const { project } = list;
  const place = placesIn(list).find(({ taskId }) => taskId === task.id) ?? null;
  const { state } = project.store;
  const taskState = taskStateOf(state, task.id);
  const { attempts, blocked } = taskState;
  const { source, reason, matches, criteria, raised } = timeoutOf(project, task).classification;
  return {
    id: task.id,
    title: task.title,
    status: task.status,
    why,
    selectable,
    /** Position in the queue; `null`: the task is done. */
    place: snakeKeys(place),
    ...timeoutFields(project, task),
    complexity_source: source,
    complexity_reason: reason,
    matches,
    criteria,
    raised,
    attempts: attempts.map(({ iteration, agent, verdict, cause, durationMs, filesChanged }) => ({
      iteration,
      agent,
      verdict,
      cause,
      duration_ms: durationMs,
      files_changed: filesChanged,
    })),
    /** The planned answer to the last attempt, by the table of answers; `null`: the last attempt had no problem. */
    answer: answerOf(list, task, taskState),
    workflow: workflowOf(project, task),
    blocked: blocked === null ? null : { reason: blocked.reason, detail: blocked.detail },
    failing: (blocked?.attempts.at(-1) ?? attempts.at(-1))?.failing ?? null,
    /** Decision that the task needs from you, with its command; `null`: none. */
    waiting: waitsForYou(state, task),
    recoveries: state.recoveries
      .filter(({ taskId }) => taskId === task.id)
      .map((recovery) => ({
        id: recovery.id,
        issue: recovery.issue,
        failed_attempts: failedTries(recovery),
        max_attempts: recovery.maxAttempts,
        diagnosis: recovery.tries.at(-1)?.diagnosis ?? null,
        ended: recovery.ended?.how ?? null,
        path: recoveryPath(recovery),
      })),
  };
}
