import { allDurations } from '../../domain/records/profile.ts';
import type { PlaceInRun } from '../../domain/records/run-control.ts';
import type { AgentProfile } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';

type OutlookFacts = {
  /** With overlaid status. */
  readonly tasks: readonly Pick<Task, 'id' | 'status' | 'dependsOn'>[];
  /** Ids of those that the run is limited to; `null`: all. */
  readonly scope: ReadonlySet<string> | null;
  /** Tasks that the run has begun so far, in that order, with the milliseconds that went into each. */
  readonly begun: ReadonlyMap<string, number>;
  /** The task that is worked on next. */
  readonly taskId: string;
  /** Iterations that the run may still take, this one included. */
  readonly iterationsLeft: number;
  readonly maxAttempts: number;
  /** Of the agent. */
  readonly profile: Pick<AgentProfile, 'levels'> | null;
};

export type Outlook = {
  readonly place: PlaceInRun;
  /** Milliseconds until the last of these tasks is over; `null`: too little is known to say. */
  readonly leftMs: number | null;
};

/** From so many tasks on that ended in this run, their average counts. */
const ENOUGH_TASKS = 3;
/** Without them: an agent's attempts, and the tasks that these got done. */
const ENOUGH_ATTEMPTS = 5;

/** Which task of how many comes next, and how long the rest takes, where experience allows to say so. */
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

/** Open tasks that wait for nothing but tasks which are done or can be worked on themselves. */
function workableIds(tasks: OutlookFacts['tasks']): ReadonlySet<string> {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const known = new Map<string, boolean>();
  const isWorkable = (id: string): boolean => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const task = byId.get(id);
    // What waits for itself is never begun.
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

/** What a task takes by the agent's profile: an attempt, as often as it needs one for each task that it gets done. */
function usualOf({ profile, maxAttempts }: OutlookFacts): number | null {
  const levels = Object.values(profile?.levels ?? {});
  const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);
  const [attempts, done] = [sum(levels.map((one) => one.attempts)), sum(levels.map((one) => one.done))];
  const durations = levels.flatMap(allDurations);
  if (done < ENOUGH_TASKS || durations.length < ENOUGH_ATTEMPTS) return null;
  return (sum(durations) / durations.length) * Math.min(maxAttempts, attempts / done);
}
