import { allDurations } from '../domain/records/profile.ts';
import type { PlaceInRun } from '../domain/records/run-control.ts';
import type { AgentProfile } from '../domain/records/state.ts';
import type { Task } from '../domain/task.ts';

type OutlookFacts = {
  /** Tasks with their current statuses. */
  readonly tasks: readonly Pick<Task, 'id' | 'status' | 'dependsOn'>[];
  /** Ids of tasks that the run is limited to; `null`: all tasks. */
  readonly scope: ReadonlySet<string> | null;
  /** Milliseconds spent on each task that the run has started, in the order of starts. */
  readonly begun: ReadonlyMap<string, number>;
  readonly taskId: string;
  /** Number of iterations that the run may still make, with this one. */
  readonly iterationsLeft: number;
  readonly maxAttempts: number;
  readonly profile: Pick<AgentProfile, 'levels'> | null;
};

export type Outlook = {
  readonly place: PlaceInRun;
  /** Estimated milliseconds until the last task ends; `null`: too little is known for an estimate. */
  readonly leftMs: number | null;
};

/** Number of ended tasks of this run from which on their average is used. */
const ENOUGH_TASKS = 3;
/** Number of finished attempts by the agent that an estimate needs. */
const ENOUGH_ATTEMPTS = 5;

/** Returns the task's position among all tasks, and the time left if there is enough experience for an estimate. */
export function outlookOf(facts: OutlookFacts): Outlook {
  const { tasks, scope, begun, taskId, iterationsLeft } = facts;
  const order = [...new Set([...begun.keys(), taskId])];
  const workable = workableIds(tasks);
  const ahead = [...workable].filter((id) => !order.includes(id) && (scope?.has(id) ?? true));
  const number = order.indexOf(taskId) + 1;
  const of = Math.max(order.length, Math.min(order.length + ahead.length, order.length + iterationsLeft - 1));
  const over = new Set([...begun.keys()].filter((id) => id !== taskId && !workable.has(id)));
  const perTaskMs = averageOf(begun, over) ?? usualOf(facts);
  const place = { number, of };
  if (perTaskMs === null) return { place, leftMs: null };
  const spentMs = begun.get(taskId) ?? 0;
  const others = of - over.size - 1;
  return { place, leftMs: Math.max(0, perTaskMs - spentMs) + Math.max(0, others) * perTaskMs };
}

function workableIds(tasks: OutlookFacts['tasks']): ReadonlySet<string> {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const known = new Map<string, boolean>();
  const isWorkable = (id: string): boolean => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const task = byId.get(id);
    // A task that depends on itself never starts.
    known.set(id, false);
    const open = task?.status === 'open' || task?.status === 'in_progress';
    const result = open && task.dependsOn.every((one) => byId.get(one)?.status === 'done' || isWorkable(one));
    known.set(id, result);
    return result;
  };
  return new Set(tasks.map(({ id }) => id).filter(isWorkable));
}

function averageOf(begun: OutlookFacts['begun'], over: ReadonlySet<string>): number | null {
  if (over.size < ENOUGH_TASKS) return null;
  return [...over].reduce((sum, id) => sum + (begun.get(id) ?? 0), 0) / over.size;
}

/** Returns the usual milliseconds for a task: the agent's mean time per attempt, times the attempts per done task. */
function usualOf({ profile, maxAttempts }: OutlookFacts): number | null {
  const levels = Object.values(profile?.levels ?? {});
  const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);
  const [attempts, done] = [sum(levels.map((one) => one.attempts)), sum(levels.map((one) => one.done))];
  const durations = levels.flatMap(allDurations);
  if (done < ENOUGH_TASKS || durations.length < ENOUGH_ATTEMPTS) return null;
  return (sum(durations) / durations.length) * Math.min(maxAttempts, attempts / done);
}
