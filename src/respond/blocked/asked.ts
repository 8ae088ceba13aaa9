import { openRequestsOf } from '../../domain/human/state.ts';
import { waitingIncidents } from '../../domain/incident.ts';
import { isReportedDone, type State, type TaskState, taskStateOf } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { taskCommand } from '../../domain/work-place.ts';

/** What you are asked about a task. */
export type Asked = {
  readonly taskId: string;
  readonly title: string;
  /** `question`: the agent needs to know something; `dispute`: it says that the task was done before. */
  readonly kind: 'question' | 'dispute' | 'gate' | 'incident';
  /** ISO 8601 UTC; empty: not known. */
  readonly at: string;
  /** In the agent's words, or those of the gate. */
  readonly text: string;
  /** Commands that settle the question, the likeliest first. */
  readonly commands: readonly string[];
};

/** The agent reported that it can't continue, and why: its attempts continue with your answer. */
export function asksQuestion({ blocked }: Pick<TaskState, 'blocked'>): boolean {
  return blocked?.reason === 'agent_reported_blocked';
}

/** All that you are asked, oldest first. */
export function askedOf(state: State, tasks: readonly Pick<Task, 'id' | 'title'>[]): Asked[] {
  return tasks
    .flatMap(({ id, title }) => askedAbout(state, id).map((one) => ({ taskId: id, title, ...one })))
    .toSorted((one, other) => one.at.localeCompare(other.at));
}

/** All that you are asked about one task, the first thing to decide first. */
export function askedAbout(state: State, id: string): Omit<Asked, 'taskId' | 'title'>[] {
  const incident = waitingIncidents(state).find((one) => one.taskId === id);
  if (incident !== undefined) {
    const commands = [`ralph resume ${incident.id}`];
    return [{ kind: 'incident', at: incident.at, text: incident.summary, commands }];
  }
  const requests = openRequestsOf(state.human, id);
  if (requests.length > 0)
    return requests.map(({ id: request, at, triggers }) => ({
      kind: 'gate',
      at,
      text: triggers.map(({ text }) => text).join('; '),
      commands: [`ralph approvals decide ${request}`],
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

/** Stands for your words in the command. */
export const YOUR_WORDS = '…';

/** The command that answers the agent, with a place for your words. */
export function answerCommand(taskId: string): string {
  return `${taskCommand('answer', taskId)} "${YOUR_WORDS}"`;
}
