import { match } from 'ralph-kit/match';
import { nearest } from 'ralph-kit/nearest';
import { own } from 'ralph-kit/own';
import { idsOfNames } from 'ralph-task-lists';
import type { TaskState } from '../../domain/records/state.ts';
import { CONSEQUENCES, type UnavailableKind } from '../../domain/service.ts';
import { leftText, type Task } from '../../domain/task.ts';
import { isOutsideCause } from '../../domain/verdict.ts';

/** Next step of the loop. `why` is shown after the name of the task. */
export type Pick =
  | { readonly kind: 'task'; readonly task: Task; readonly why: string }
  | { readonly kind: 'all_done' }
  /** Other workers have tasks, and nothing else can start meanwhile. */
  | { readonly kind: 'at_work' }
  /** No task can start: all remaining ones are blocked, or wait for a task that isn't done. */
  | { readonly kind: 'all_blocked' }
  /**
   * No task can start, and at least one waits for your decision, is ticked but unverified, or has a problem in the list
   * (`faulty`).
   */
  | { readonly kind: 'awaiting_human'; readonly faulty: readonly string[] }
  | {
      readonly kind: 'unknown_task';
      readonly id: string;
      readonly nearest: string | null;
      readonly known: readonly string[];
    }
  /** None of the requested tasks can start. */
  | {
      readonly kind: 'not_selectable';
      readonly tasks: readonly [NotSelectable, ...NotSelectable[]];
      /** Number of tasks that weren't requested and aren't done. `open`: how many of these are open. */
      readonly others: { readonly undone: number; readonly open: number };
    }
  | { readonly kind: 'empty' };

type NotSelectable = { readonly task: Task; readonly why: string };

/** Maximum number of ids that the answer to an unknown id lists. */
const KNOWN_SHOWN = 20;

/**
 * Chooses a task whose dependencies are done, among tasks with ralph's status (`overlayStatus`). An unfinished task
 * comes first, up to five attempts; then the highest priority; then the order of the file. `only`
 * limits the choice to these tasks, by id or number from 1; one text may have several, separated by commas.
 *
 * @param apart Ids of tasks that must not start while other workers have tasks.
 * @param first Ids of tasks that you put first, in this order.
 */
export function selectTask(
  tasks: readonly Task[],
  states: States,
  only: readonly string[] | null,
  apart: ReadonlySet<string> = new Set(),
  first: readonly string[] = [],
): Pick {
  const readiness = readinessOf(tasks, apart);
  const known = { states, first };
  if (only !== null) return selectAsked(tasks, known, only, readiness);
  if (tasks.length === 0) return { kind: 'empty' };
  const best = firstReady(tasks, readiness, known);
  if (best !== null) return { kind: 'task', task: best, why: whyThis(best, tasks, readiness, known) };
  if (readiness.some(({ kind }) => kind === 'apart')) return { kind: 'at_work' };
  if (readiness.every(({ kind }) => kind === 'done')) return { kind: 'all_done' };
  const faulty = tasks.filter((_, index) => readiness[index]?.kind === 'faulty').map(({ id }) => id);
  const waits = readiness.some(({ kind }) => kind === 'parked' || kind === 'unverified');
  return waits || faulty.length > 0 ? { kind: 'awaiting_human', faulty } : { kind: 'all_blocked' };
}

export type TaskExplanation = {
  readonly pick: Pick;
  /** All other tasks in the order of the file, each with the reason why it isn't next. */
  readonly others: readonly { readonly id: string; readonly why: string }[];
};

/** Returns for `ralph explain` which task starts next, and why every other one doesn't. */
export function explainTasks(
  tasks: readonly Task[],
  states: States,
  only: string | null,
  first: readonly string[] = [],
): TaskExplanation {
  const pick = selectTask(tasks, states, only === null ? null : [only], new Set(), first);
  const picked = pick.kind === 'task' ? pick.task : null;
  const asked = pick.kind === 'not_selectable' ? pick.tasks[0].task : picked;
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const others = readinessOf(tasks).flatMap((readiness, index) => {
    const task = tasks[index];
    if (task === undefined || task === asked) return [];
    if (readiness.kind !== 'ready') return [{ id: task.id, why: whyNot(task, readiness, states, byId) }];
    const later =
      picked === null || only !== null ? 'not the one asked for' : whyLater(task, picked, { states, first });
    return [{ id: task.id, why: `ready, but ${later}` }];
  });
  return { pick, others };
}

type Known = { readonly states: States; readonly first: readonly string[] };

/** Returns the tasks that can start, in the order in which they start. */
export function inOrder(tasks: readonly Task[], readiness: readonly Readiness[], known: Known): Task[] {
  return tasks
    .filter((_, index) => readiness[index]?.kind === 'ready')
    .toSorted((one, other) => compared(one, other, known));
}

function firstReady(tasks: readonly Task[], readiness: readonly Readiness[], known: Known): Task | null {
  let best: Task | null = null;
  tasks.forEach((task, index) => {
    if (readiness[index]?.kind !== 'ready') return;
    if (best === null || compared(task, best, known) < 0) best = task;
  });
  return best;
}

function selectAsked(
  tasks: readonly Task[],
  known: Known,
  only: readonly string[],
  readiness: readonly Readiness[],
): Pick {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const requestedIds = new Set(idsOfNames(tasks, only));
  const unknown = [...requestedIds].find((id) => !byId.has(id));
  if (unknown !== undefined || requestedIds.size === 0) {
    const ids = [...byId.keys()];
    const id = unknown ?? only.join(', ');
    return { kind: 'unknown_task', id, nearest: nearest(id, ids), known: ids.slice(0, KNOWN_SHOWN) };
  }
  const isAsked = tasks.map(({ id }) => requestedIds.has(id));
  const some = tasks.filter((_, index) => isAsked[index]);
  const askedReadiness = readiness.filter((_, index) => isAsked[index]);
  const best = firstReady(some, askedReadiness, known);
  if (best !== null) {
    const why = some.length === 1 ? 'asked for' : `asked for; ${whyThis(best, some, askedReadiness, known)}`;
    return { kind: 'task', task: best, why };
  }
  if (askedReadiness.some(({ kind }) => kind === 'apart')) return { kind: 'at_work' };
  const [first, ...rest] = some.map((task, index) => ({
    task,
    why: whyNot(task, askedReadiness[index] ?? { kind: 'ready' }, known.states, byId),
  }));
  if (first === undefined) return { kind: 'empty' };
  const others = tasks.filter((_, index) => !isAsked[index] && readiness[index]?.kind !== 'done');
  const open = others.filter(({ status }) => status === 'open' || status === 'in_progress').length;
  return { kind: 'not_selectable', tasks: [first, ...rest], others: { undone: others.length, open } };
}

/**
 * Number of attempts after which an unfinished task lets all other tasks go first, so that one task doesn't take a
 * whole night.
 */
const LONGEST_TURN = 5;

/**
 * Returns whether the agent's service rejected the newest attempt because of this task, such as a request that is too
 * long.
 */
function isTurnedDown({ id }: Task, states: States): boolean {
  const verdict = own(states, id)?.attempts.at(-1)?.verdict;
  return (
    verdict !== undefined &&
    verdict in CONSEQUENCES &&
    CONSEQUENCES[verdict as UnavailableKind].concerns === 'task'
  );
}

/**
 * Returns whether the list says that someone else works on the task; it then isn't an attempt of ralph's that was cut
 * off.
 */
function isWithSomeone({ id, status, assignee }: Task, states: States): boolean {
  return status === 'in_progress' && assignee !== null && own(states, id)?.inProgress !== true;
}

/**
 * Returns 1 for a task that continues before others start, and -1 for a task that had its attempts or is someone
 * else's.
 */
function turnOf(task: Task, states: States): number {
  if (isTurnedDown(task, states) || isWithSomeone(task, states)) return -1;
  if (own(states, task.id)?.inProgress !== true && task.status !== 'in_progress') return 0;
  // Attempts that an outage or you ended don't count.
  const tries = own(states, task.id)?.attempts.filter(({ verdict }) => !isOutsideCause(verdict)) ?? [];
  return tries.length < LONGEST_TURN ? 1 : -1;
}

function urgency(task: Task): number {
  return task.priority ?? Number.POSITIVE_INFINITY;
}

/** Returns a negative number if the first task starts before the second one; 0: the order of the file decides. */
function compared(one: Task, other: Task, { states, first }: Known): number {
  const asked = (task: Task) => (first.includes(task.id) ? first.indexOf(task.id) : first.length);
  const byUrgency = urgency(one) === urgency(other) ? 0 : urgency(one) - urgency(other);
  return asked(one) - asked(other) || turnOf(other, states) - turnOf(one, states) || byUrgency;
}

function whyThis(
  task: Task,
  tasks: readonly Task[],
  readiness: readonly Readiness[],
  { states, first }: Known,
): string {
  if (first.includes(task.id)) return 'you put it first';
  if (turnOf(task, states) > 0) return 'its last attempt is unfinished';
  let ready = 0;
  let equals = 0;
  tasks.forEach((other, index) => {
    if (readiness[index]?.kind !== 'ready') return;
    ready += 1;
    if (urgency(other) === urgency(task)) equals += 1;
  });
  if (ready === 1) return 'the only ready task';
  if (equals === ready) return `first in the file of ${ready} ready tasks`;
  const best = `highest priority (${task.priority}) of ${ready} ready tasks`;
  return equals === 1 ? best : `${best}, first in the file of ${equals} with that priority`;
}

function whyLater(task: Task, picked: Task, { states, first }: Known): string {
  if (first.includes(picked.id)) return `you put ${picked.id} first`;
  if (turnOf(task, states) < 0 && turnOf(picked, states) >= 0)
    return isTurnedDown(task, states)
      ? "others go first, as the agent's service turned it down"
      : isWithSomeone(task, states)
        ? `others go first, as ${task.assignee} is at it`
        : `after ${LONGEST_TURN} attempts others go first`;
  if (turnOf(picked, states) > 0 && turnOf(task, states) <= 0)
    return `${picked.id} has an unfinished attempt`;
  if (urgency(picked) < urgency(task)) {
    const own = task.priority === null ? 'no priority' : `priority ${task.priority}`;
    return `${picked.id} has priority ${picked.priority}, this one has ${own}`;
  }
  return `it comes after ${picked.id} in the file`;
}

export type States = Readonly<Record<string, TaskState>>;

/** Whether a task can start now, and otherwise the reason. */
export type Readiness =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done' }
  /** The task is ticked, but ralph didn't verify it and knows no other reason for the tick. */
  | { readonly kind: 'unverified' }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'parked' }
  /** The task list has a problem that you have to fix first (`Task.problem`). */
  | { readonly kind: 'faulty'; readonly problem: string }
  | { readonly kind: 'waiting'; readonly waitsFor: readonly string[] }
  /** The task could start, but another worker has it, or has a task that may conflict with it. */
  | { readonly kind: 'apart' };

const READY: Readiness = { kind: 'ready' };
const CLOSED = {
  done: { kind: 'done' },
  unverified: { kind: 'unverified' },
  blocked: { kind: 'blocked' },
  parked: { kind: 'parked' },
} as const;

/**
 * Returns the readiness of each task, in the order of the list. Statuses are those of `overlayStatus`. Linear in the
 * number of tasks.
 *
 * @param apart Ids of tasks that must not start while other workers have tasks.
 */
export function readinessOf(tasks: readonly Task[], apart: ReadonlySet<string> = new Set()): Readiness[] {
  const done = new Set<string>();
  // Tasks can't build on a result that a worker hasn't landed yet.
  for (const task of tasks) if (task.status === 'done' && !apart.has(task.id)) done.add(task.id);
  return tasks.map((task) => {
    if (task.problem !== null && task.status !== 'done') return { kind: 'faulty', problem: task.problem };
    if (task.status !== 'open' && task.status !== 'in_progress') return CLOSED[task.status];
    if (task.dependsOn.every((id) => done.has(id))) return apart.has(task.id) ? { kind: 'apart' } : READY;
    return { kind: 'waiting', waitsFor: task.dependsOn.filter((id) => !done.has(id)) };
  });
}

/**
 * Returns why a task isn't started, as words that follow "it is".
 * @param others All tasks of the list.
 */
export function whyNot(
  task: Task,
  readiness: Readiness,
  states: States,
  others: ReadonlyMap<string, { readonly status: Task['status']; readonly left: Task['left'] }>,
): string {
  return match(readiness, 'kind', {
    ready: () => 'ready',
    apart: () => 'in progress, or kept apart from what is',
    done: () => 'done',
    unverified: () => (task.left === null ? 'ticked, not verified' : leftText(task.left)),
    parked: () =>
      own(states, task.id)?.parked === false && own(states, task.id)?.held === true
        ? 'held back by you'
        : task.left === null || own(states, task.id)?.parked === true
          ? 'waiting for your decision'
          : `left alone: ${leftText(task.left)}`,
    faulty: ({ problem }) => `not worked on until the list is fixed: ${problem}`,
    blocked: () => {
      const record = own(states, task.id)?.blocked ?? null;
      return record === null ? 'blocked in the tracker' : `blocked: ${record.detail}`;
    },
    waiting: (readiness) => {
      const names = readiness.waitsFor.map((id) => `${id} (${statusWord(others.get(id))})`);
      return `waiting for ${names.join(', ')}`;
    },
  });
}

function statusWord(
  task: { readonly status: Task['status']; readonly left: Task['left'] } | undefined,
): string {
  if (task === undefined) return 'no such task';
  const { status, left } = task;
  if (status === 'parked' && left !== null) return leftText(left);
  if (status === 'parked') return 'waiting for you';
  // The task's result isn't on ralph's line yet.
  return status === 'done' ? 'landing' : status.replace('_', ' ');
}
