import { didYouMean } from 'ralph-kit/nearest';
import { type GivenUp, Task as ListedTask, wordSetting } from 'ralph-task-lists/task';
import * as z from 'zod/mini';

/**
 * Status of a task. `unverified`: the tracker has it as done, but ralph neither verified it nor knows another reason.
 * It waits for you, and this status is never written to a tracker.
 */
export const TASK_STATUSES = ['open', 'in_progress', 'done', 'unverified', 'blocked', 'parked'] as const;
export const TaskStatus = z.enum(TASK_STATUSES);
export type TaskStatus = z.infer<typeof TaskStatus>;
/** Words for each status on screen. */
export const STATUS_WORD: Readonly<Record<TaskStatus, string>> = {
  open: 'open',
  in_progress: 'in progress',
  done: 'done',
  unverified: 'ticked, not verified',
  blocked: 'blocked',
  parked: 'waiting for you',
};

/**
 * Why ralph doesn't start a task, by the task list. `word`: a status word; `unknown_word`: a word that ralph doesn't
 * know; `assigned`: it is someone else's; `later`: it is put off; `held`: it waits for entries that aren't work;
 * `ticked`: a commit ticked it, and ralph hasn't verified it.
 */
export const LeftAlone = z.object({
  kind: z.enum(['word', 'unknown_word', 'assigned', 'later', 'held', 'ticked']),
  /**
   * The word as written, the assignee, the time as in the list, the ids of the entries, or the short commit id: one of
   * these, by `kind`.
   */
  of: z.string(),
});
export type LeftAlone = z.infer<typeof LeftAlone>;

/** Returns the reason as a clause, such as `it is put off until 2026-12-01`. */
export function leftText({ kind, of }: LeftAlone): string {
  if (kind === 'assigned') return `${of} has it ([tracker] skip_assigned)`;
  if (kind === 'later') return `it is put off until ${of}`;
  if (kind === 'held') return `it waits for ${of}, which isn't work`;
  if (kind === 'ticked') return `ticked by commit ${of}; ralph hasn't verified it`;
  const says = `the task list says ${JSON.stringify(of)}`;
  return kind === 'word'
    ? says
    : `${says}, a word that ralph doesn't know (if it is done: ${wordSetting(of)})`;
}

/** A task of a list, as ralph knows it. */
export const Task = z.extend(ListedTask, {
  /** Status by the tracker, until `overlayStatus` replaces it by the status that ralph knows. */
  status: TaskStatus,
  /** Why ralph doesn't start the task; `null`: it may start, or the list gives no reason. */
  left: z.nullable(LeftAlone),
});
export type Task = z.infer<typeof Task>;

/** Returns which subtasks a task is done without, as the end of a sentence; `null`: none. */
export function withoutText({ without }: Pick<Task, 'without'>): string | null {
  if (without.length === 0) return null;
  return `without ${without.join(', ')}: the task list keeps ${without.length === 1 ? 'that part' : 'those parts'} as ${without.length === 1 ? 'it is' : 'they are'}`;
}

/** Returns the task's title, description and acceptance criteria as one text. */
export function goalText({ title, description, acceptance }: Task): string {
  return [title, description, ...acceptance].join('\n');
}

/** Number of tasks of a list, and of those with each status. */
export const TaskCounts = z.object({
  total: z.number(),
  done: z.number(),
  unverified: z.number(),
  blocked: z.number(),
  open: z.number(),
});

/**
 * Returns the number of tasks by status. `unverified`: ticked but not verified; `open`: all that have none of the other
 * statuses.
 */
export function countTasks(tasks: readonly Task[]) {
  const count = (status: Task['status']) => tasks.filter((task) => task.status === status).length;
  const [done, unverified, blocked] = [count('done'), count('unverified'), count('blocked')];
  return { total: tasks.length, done, unverified, blocked, open: tasks.length - done - unverified - blocked };
}

/** Returns why a task with this name isn't worked on: the list gives it up. `null`: the list doesn't. */
export function givenUpText(name: string, givenUp: readonly GivenUp[]): string | null {
  const plain = name.replace(/^#/, '').toLowerCase();
  const found = givenUp.find(({ id }) => id.replace(/^#/, '').toLowerCase() === plain);
  if (found === undefined) return null;
  return `${found.id} is given up: the task list says ${JSON.stringify(found.word)}. To have it done, open it there.`;
}

/** Returns why no task has this name: the list gives the task up, or has none by that name. */
export function noTaskText(name: string, ids: readonly string[], givenUp: readonly GivenUp[]): string {
  return givenUpText(name, givenUp) ?? `There is no task ${name}.${didYouMean(name, ids)}`;
}
