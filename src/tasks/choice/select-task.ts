import type { TaskState } from '../../domain/records/state.ts';
import { CONSEQUENCES, type UnavailableKind } from '../../domain/service.ts';
import type { Task } from '../../domain/task.ts';
import { isOutsideCause } from '../../domain/verdict.ts';
import { match } from '../../lib/match.ts';
import { nearest } from '../../lib/nearest.ts';
import { own } from '../../lib/own.ts';
import { taskFinder } from './dependencies.ts';

/** What the loop does next. `why` is shown behind the name of the task. */
export type Pick =
  | { readonly kind: 'task'; readonly task: Task; readonly why: string }
  | { readonly kind: 'all_done' }
  /** Nothing else can start while the other workers are at work. */
  | { readonly kind: 'at_work' }
  /** Nothing is ready: every remaining task is blocked or waits for one that isn't done. */
  | { readonly kind: 'all_blocked' }
  /**
   * Nothing is ready, and at least one task waits for your decision, is ticked and not verified, or has to be fixed in
   * the list (`faulty`).
   */
  | { readonly kind: 'awaiting_human'; readonly faulty: readonly string[] }
  | {
      readonly kind: 'unknown_task';
      readonly id: string;
      readonly nearest: string | null;
      readonly known: readonly string[];
    }
  /** None of the tasks asked for can start. */
  | {
      readonly kind: 'not_selectable';
      readonly tasks: readonly [NotSelectable, ...NotSelectable[]];
      /** How many of the others aren't done, and how many of these are open. */
      readonly others: { readonly undone: number; readonly open: number };
    }
  | { readonly kind: 'empty' };

type NotSelectable = { readonly task: Task; readonly why: string };

/** Ids that the answer to an unknown one lists. */
const KNOWN_SHOWN = 20;

/**
 * Chooses among tasks with overlaid status (`overlayStatus`) whose dependencies are done: an unfinished attempt
 * first, up to five at a task, then the highest priority, then file order (spec 1-loop, Tasks). `only` restricts the choice to these tasks,
 * by id or 1-based number; several may stand in one text, with commas between them.
 *
 * @param apart Ids of tasks that are kept from starting while other workers are at work.
 * @param first Ids of tasks that you want to go before all others, in this order.
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
  /** For every task but the picked one, or the one asked for, in file order: why it is not this one. */
  readonly others: readonly { readonly id: string; readonly why: string }[];
};

/** `ralph explain`: which task starts next, and for every other one why it doesn't. */
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

/** The tasks that can start, in the order in which they do. */
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

/** The ids that these names mean, each once; a name that means no task stays as it is. */
export function idsAsked(
  tasks: readonly { readonly id: string }[],
  names: readonly string[],
): readonly string[] {
  const find = taskFinder(tasks.map(({ id }) => id));
  const ids = names.flatMap((name) => {
    const whole = find(name);
    if (whole !== null) return [whole];
    const parts = name.split(',').map((part) => part.trim());
    return parts.filter((part) => part !== '').map((part) => find(part) ?? part);
  });
  return [...new Set(ids)];
}

function selectAsked(
  tasks: readonly Task[],
  known: Known,
  only: readonly string[],
  readiness: readonly Readiness[],
): Pick {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const asked = new Set(idsAsked(tasks, only));
  const unknown = [...asked].find((id) => !byId.has(id));
  if (unknown !== undefined || asked.size === 0) {
    const ids = [...byId.keys()];
    const id = unknown ?? only.join(', ');
    return { kind: 'unknown_task', id, nearest: nearest(id, ids), known: ids.slice(0, KNOWN_SHOWN) };
  }
  const isAsked = tasks.map(({ id }) => asked.has(id));
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

function isUnfinished(task: Task, states: States): boolean {
  return task.status === 'in_progress' || own(states, task.id)?.inProgress === true;
}

/** Attempts after which a task that isn't finished lets all others go first: a night is more than one task. */
const LONGEST_TURN = 5;

/** Whether the agent's service turned its newest attempt down for what this one task is. */
function isTurnedDown({ id }: Task, states: States): boolean {
  const verdict = own(states, id)?.attempts.at(-1)?.verdict;
  return verdict !== undefined && verdict in CONSEQUENCES && CONSEQUENCES[verdict as UnavailableKind].ofTask;
}

/** 1: it continues before others start; -1: it had its turn. */
function turnOf(task: Task, states: States): number {
  if (isTurnedDown(task, states)) return -1;
  if (!isUnfinished(task, states)) return 0;
  // What an outage or you ended isn't a try.
  const tries = own(states, task.id)?.attempts.filter(({ verdict }) => !isOutsideCause(verdict)) ?? [];
  return tries.length < LONGEST_TURN ? 1 : -1;
}

function urgency(task: Task): number {
  return task.priority ?? Number.POSITIVE_INFINITY;
}

/** Below 0: the first one starts before the second one; 0: the order of the file counts. */
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

/** Whether a task can be started now. */
export type Readiness =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done' }
  /** Ticked, and nothing that ralph believes says that it is done. */
  | { readonly kind: 'unverified' }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'parked' }
  /** Something in the task list has to be fixed first (`Task.problem`). */
  | { readonly kind: 'faulty'; readonly problem: string }
  | { readonly kind: 'waiting'; readonly on: readonly string[] }
  /** It could start, but another worker is at it, or at something that it may conflict with. */
  | { readonly kind: 'apart' };

const READY: Readiness = { kind: 'ready' };
const CLOSED = {
  done: { kind: 'done' },
  unverified: { kind: 'unverified' },
  blocked: { kind: 'blocked' },
  parked: { kind: 'parked' },
} as const;

/**
 * Where each task stands, in their order, from statuses that `overlayStatus` has made. Linear.
 *
 * @param apart Ids of tasks that are kept from starting while other workers are at work.
 */
export function readinessOf(tasks: readonly Task[], apart: ReadonlySet<string> = new Set()): Readiness[] {
  const done = new Set<string>();
  // The result of a worker that has not landed yet is none to build on.
  for (const task of tasks) if (task.status === 'done' && !apart.has(task.id)) done.add(task.id);
  return tasks.map((task) => {
    if (task.problem !== null && task.status !== 'done') return { kind: 'faulty', problem: task.problem };
    if (task.status !== 'open' && task.status !== 'in_progress') return CLOSED[task.status];
    if (task.dependsOn.every((id) => done.has(id))) return apart.has(task.id) ? { kind: 'apart' } : READY;
    return { kind: 'waiting', on: task.dependsOn.filter((id) => !done.has(id)) };
  });
}

/** Why a task isn't started, to stand behind "it is"; `others` are all tasks of the list. */
export function whyNot(
  task: Task,
  readiness: Readiness,
  states: States,
  others: ReadonlyMap<string, { readonly status: Task['status'] }>,
): string {
  return match(readiness, 'kind', {
    ready: () => 'ready',
    apart: () => 'in progress, or kept apart from what is',
    done: () => 'done',
    unverified: () => 'ticked, not verified',
    parked: () =>
      own(states, task.id)?.parked === false && own(states, task.id)?.held === true
        ? 'held back by you'
        : 'waiting for your decision',
    faulty: ({ problem }) => `not worked on until the list is fixed: ${problem}`,
    blocked: () => {
      const record = own(states, task.id)?.blocked ?? null;
      return record === null ? 'blocked in the tracker' : `blocked: ${record.detail}`;
    },
    waiting: (readiness) => {
      const names = readiness.on.map((id) => `${id} (${statusWord(others.get(id)?.status)})`);
      return `waiting for ${names.join(', ')}`;
    },
  });
}

function statusWord(status: Task['status'] | undefined): string {
  if (status === undefined) return 'no such task';
  if (status === 'parked') return 'waiting for you';
  // Its result isn't on the line yet.
  return status === 'done' ? 'landing' : status.replace('_', ' ');
}
