import type { Task } from '../../domain/task.ts';
import { nearest } from '../../lib/nearest.ts';
import { taskFinder } from './dependencies.ts';
import {
  READY,
  type Standing,
  type States,
  type StatusOf,
  standings,
  stateOf,
  statusLookup,
  whyNot,
} from './standing.ts';

export type TaskReason = { readonly id: string; readonly why: string };

/** What the loop goes on with. `why` and the reasons are sentences for people. */
export type Pick =
  | {
      readonly kind: 'task';
      readonly task: Task;
      readonly why: string;
      /** Unfinished tasks that cannot be taken up now; the ones that merely come later are in `explainTasks`. */
      readonly skipped: readonly TaskReason[];
    }
  | { readonly kind: 'all_done' }
  /** Nothing is ready: every remaining task is blocked or waits for one that is not done. */
  | { readonly kind: 'all_blocked'; readonly remaining: readonly TaskReason[] }
  /** Nothing is ready, and a person's decision is awaited for at least one task. */
  | {
      readonly kind: 'awaiting_human';
      readonly parked: readonly string[];
      readonly remaining: readonly TaskReason[];
    }
  | {
      readonly kind: 'unknown_task';
      readonly id: string;
      readonly nearest: string | null;
      readonly known: readonly string[];
    }
  | { readonly kind: 'not_selectable'; readonly task: Task; readonly why: string }
  | { readonly kind: 'empty' };

/** Ids that an answer to an unknown one lists. */
const KNOWN_SHOWN = 20;

/**
 * Chooses among tasks with overlaid status (`overlayStatus`) whose dependencies are done: an unfinished attempt
 * first, then the highest priority, then file order (spec 1-loop, Tasks). `only` restricts the choice to one task,
 * by id or 1-based number.
 */
export function selectTask(tasks: readonly Task[], states: States, only: string | null): Pick {
  const standing = standings(tasks);
  const statusOf = statusLookup(tasks);
  if (only !== null) return selectOne(tasks, states, only, standing, statusOf);
  if (tasks.length === 0) return { kind: 'empty' };

  let best: Task | null = null;
  const skipped: TaskReason[] = [];
  const parked: string[] = [];
  tasks.forEach((task, index) => {
    const own = standing[index] ?? READY;
    if (own.kind === 'ready') {
      if (best === null || comesBefore(task, best, states)) best = task;
    } else if (own.kind !== 'done') {
      if (own.kind === 'parked') parked.push(task.id);
      skipped.push({ id: task.id, why: whyNot(task, own, states, statusOf) });
    }
  });
  if (best !== null)
    return { kind: 'task', task: best, why: whyThis(best, tasks, standing, states), skipped };
  if (skipped.length === 0) return { kind: 'all_done' };
  return parked.length > 0
    ? { kind: 'awaiting_human', parked, remaining: skipped }
    : { kind: 'all_blocked', remaining: skipped };
}

export type TaskExplanation = {
  readonly pick: Pick;
  /** For every task but the picked one, in file order: why it is not this one. */
  readonly others: readonly TaskReason[];
};

/** `ralph explain`: what would be taken up, and for every other task why not. */
export function explainTasks(tasks: readonly Task[], states: States, only: string | null): TaskExplanation {
  const pick = selectTask(tasks, states, only);
  const standing = standings(tasks);
  const statusOf = statusLookup(tasks);
  const picked = pick.kind === 'task' ? pick.task : null;
  const others: TaskReason[] = [];
  tasks.forEach((task, index) => {
    if (task === picked) return;
    const own = standing[index] ?? READY;
    others.push({
      id: task.id,
      why:
        own.kind !== 'ready'
          ? whyNot(task, own, states, statusOf)
          : picked === null || only !== null
            ? 'ready, but not the one asked for'
            : `ready, but ${whyLater(task, picked, states)}`,
    });
  });
  return { pick, others };
}

function selectOne(
  tasks: readonly Task[],
  states: States,
  only: string,
  standing: readonly Standing[],
  statusOf: StatusOf,
): Pick {
  const ids = tasks.map((task) => task.id);
  const index = ids.indexOf(taskFinder(ids)(only) ?? only);
  const task = tasks[index];
  if (task === undefined) {
    return { kind: 'unknown_task', id: only, nearest: nearest(only, ids), known: ids.slice(0, KNOWN_SHOWN) };
  }
  const own = standing[index] ?? READY;
  if (own.kind === 'ready') return { kind: 'task', task, why: 'asked for', skipped: [] };
  return { kind: 'not_selectable', task, why: whyNot(task, own, states, statusOf) };
}

function isUnfinished(task: Task, states: States): boolean {
  return task.status === 'in_progress' || stateOf(states, task.id)?.inProgress === true;
}

function urgency(task: Task): number {
  return task.priority ?? Number.POSITIVE_INFINITY;
}

/** Whether `task`, which stands later in the file, is to be taken before `best`. */
function comesBefore(task: Task, best: Task, states: States): boolean {
  const unfinished = isUnfinished(task, states);
  if (unfinished !== isUnfinished(best, states)) return unfinished;
  return urgency(task) < urgency(best);
}

function whyThis(task: Task, tasks: readonly Task[], standing: readonly Standing[], states: States): string {
  if (isUnfinished(task, states)) return 'an attempt at it is unfinished';
  let ready = 0;
  let equals = 0;
  tasks.forEach((other, index) => {
    if (standing[index]?.kind !== 'ready') return;
    ready += 1;
    if (urgency(other) === urgency(task)) equals += 1;
  });
  if (ready === 1) return 'the only task that is ready';
  if (equals === ready) return `first in the file of ${ready} tasks that are ready`;
  const best = `highest priority (${task.priority}) of ${ready} tasks that are ready`;
  return equals === 1 ? best : `${best}, first in the file of ${equals} with it`;
}

function whyLater(task: Task, picked: Task, states: States): string {
  if (isUnfinished(picked, states) && !isUnfinished(task, states))
    return `${picked.id} has an unfinished attempt`;
  if (urgency(picked) < urgency(task)) {
    const own = task.priority === null ? 'no priority' : `priority ${task.priority}`;
    return `${picked.id} has priority ${picked.priority}, this one has ${own}`;
  }
  return `it stands after ${picked.id} in the file`;
}
