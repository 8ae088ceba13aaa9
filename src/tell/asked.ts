import { openRequestsOf } from '../domain/human/state.ts';
import { resumeCommand, waitingIncidents } from '../domain/incident.ts';
import { isReportedDone, type State, type TaskState, taskStateOf } from '../domain/records/state.ts';
import type { Task } from '../domain/task.ts';
import { taskCommand } from '../domain/work-place.ts';
import { answerCommand, decideCommand } from './commands.ts';

export type Asked = {
  readonly taskId: string;
  readonly title: string;
  /** `question`: the agent needs an answer; `dispute`: the agent reports that the task was already done. */
  readonly kind: 'question' | 'dispute' | 'gate' | 'incident';
  /** Time of the question, ISO 8601 UTC; '' if unknown. */
  readonly at: string;
  readonly text: string;
  /** Commands that answer the question, the most likely first. */
  readonly commands: readonly string[];
};

export function asksQuestion({ blocked }: Pick<TaskState, 'blocked'>): boolean {
  return blocked?.reason === 'agent_reported_blocked';
}

export function askedOf(state: State, tasks: readonly Pick<Task, 'id' | 'title'>[]): Asked[] {
  return tasks
    .flatMap(({ id, title }) => askedAbout(state, id).map((one) => ({ taskId: id, title, ...one })))
    .toSorted((one, other) => one.at.localeCompare(other.at));
}

export function askedAbout(state: State, id: string): Omit<Asked, 'taskId' | 'title'>[] {
  const incident = waitingIncidents(state).find((one) => one.taskId === id);
  if (incident !== undefined) {
    const commands = [resumeCommand(incident.id)];
    return [{ kind: 'incident', at: incident.at, text: incident.summary, commands }];
  }
  const requests = openRequestsOf(state.human, id);
  if (requests.length > 0)
    return requests.map(({ id: request, at, triggers }) => ({
      kind: 'gate',
      at,
      text: triggers.map(({ text }) => text).join('; '),
      commands: [decideCommand(request)],
    }));
  const task = taskStateOf(state, id);
  if (task.blocked !== null && asksQuestion(task)) {
    const { at, detail } = task.blocked;
    return [{ kind: 'question', at, text: detail, commands: [answerCommand(id)] }];
  }
  const last = task.attempts.at(-1);
  if (last === undefined || !isReportedDone(task)) return [];
  const at = new Date(Date.parse(last.startedAt) + last.durationMs).toISOString();
  const commands = [taskCommand('tasks accept', id), answerCommand(id)];
  return [{ kind: 'dispute', at, text: last.cause, commands }];
}
