import type { TaskState } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { match } from '../../lib/match.ts';
import { own } from '../../lib/own.ts';

export type States = Readonly<Record<string, TaskState>>;

/** Whether a task can be started now. */
export type Standing =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done' }
  /** Ticked, and nothing that ralph believes says that it is done. */
  | { readonly kind: 'unverified' }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'parked' }
  /** Something in the task list has to be fixed first (`Task.problem`). */
  | { readonly kind: 'faulty'; readonly problem: string }
  | { readonly kind: 'waiting'; readonly on: readonly string[] };

const READY: Standing = { kind: 'ready' };
const CLOSED = {
  done: { kind: 'done' },
  unverified: { kind: 'unverified' },
  blocked: { kind: 'blocked' },
  parked: { kind: 'parked' },
} as const;

/** Where each task stands, in their order, from statuses that `overlayStatus` has made. Linear. */
export function standings(tasks: readonly Task[]): Standing[] {
  const done = new Set<string>();
  for (const task of tasks) if (task.status === 'done') done.add(task.id);
  return tasks.map((task) => {
    if (task.problem !== null && task.status !== 'done') return { kind: 'faulty', problem: task.problem };
    if (task.status !== 'open' && task.status !== 'in_progress') return CLOSED[task.status];
    if (task.dependsOn.every((id) => done.has(id))) return READY;
    return { kind: 'waiting', on: task.dependsOn.filter((id) => !done.has(id)) };
  });
}

/** Why a task isn't started, to stand behind "it is"; `others` are all tasks of the list. */
export function whyNot(
  task: Task,
  standing: Standing,
  states: States,
  others: ReadonlyMap<string, Pick<Task, 'status'>>,
): string {
  return match(standing, 'kind', {
    ready: () => 'ready',
    done: () => 'done',
    unverified: () => 'ticked, not verified',
    parked: () => 'waiting for your decision',
    faulty: ({ problem }) => `not worked on until the list is fixed: ${problem}`,
    blocked: () => {
      const record = own(states, task.id)?.blocked ?? null;
      return record === null ? 'blocked in the tracker' : `blocked: ${record.detail}`;
    },
    waiting: (standing) => {
      const names = standing.on.map((id) => {
        const status = others.get(id)?.status;
        return `${id} (${status === undefined ? 'no such task' : status.replace('_', ' ')})`;
      });
      return `waiting for ${names.join(', ')}`;
    },
  });
}
