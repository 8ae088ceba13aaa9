import type { TaskEdit } from '../../domain/records/edits.ts';
import type { Task } from '../../domain/task.ts';
import { changedText } from '../../tasks/index.ts';

/** What became of a task list: lines of a diff, and the edits that count once you accept them. */
export type TaskEdits = { readonly lines: readonly string[]; readonly pending: readonly TaskEdit[] };

/**
 * Compares the task list that an attempt began with, with the list as you left it. Added tasks, another order and other
 * priorities count at the next choice; a task that is gone or reads otherwise waits, unless it is done.
 *
 * @param before With overlaid status; `now` as the file says.
 */
export function taskEdits(before: readonly Task[], now: readonly Task[], iteration: number): TaskEdits {
  const after = new Map(now.map((task) => [task.id, task]));
  const known = new Set(before.map(({ id }) => id));
  const lines: string[] = [];
  const pending: TaskEdit[] = [];
  for (const task of before) {
    const changes = textLines(task, after.get(task.id) ?? null);
    lines.push(...changes);
    if (changes.length > 0 && task.status !== 'done') pending.push({ iteration, before: task });
  }
  for (const task of now) if (!known.has(task.id)) lines.push(`+ ${named(task)}`);
  const order = (tasks: readonly Task[], others: { has: (id: string) => boolean }) =>
    tasks.flatMap(({ id, priority }) => (others.has(id) ? [`${id} ${priority}`] : [])).join('\n');
  if (order(before, after) !== order(now, known)) lines.push('  order or priorities');
  return { lines, pending };
}

/** A task's changed parts, below its title; nothing where it reads the same. `now`: `null` where it is gone. */
export function textLines(before: Task, now: Task | null): string[] {
  if (now === null) return [`- ${named(before)}`];
  const changed = changedText(before, now);
  if (changed.length === 0) return [];
  const head = changed.includes('title') ? [`- ${named(before)}`, `+ ${named(now)}`] : [`  ${named(now)}`];
  const parts = changed.filter((key) => key !== 'title');
  return [
    ...head,
    ...parts.flatMap((key) => [
      ...(isEmpty(before[key]) ? [] : [`-   ${key}: ${shown(before[key])}`]),
      ...(isEmpty(now[key]) ? [] : [`+   ${key}: ${shown(now[key])}`]),
    ]),
  ];
}

function named({ id, title }: Task): string {
  return `${id} ${title}`;
}

function isEmpty(value: Task[keyof Task]): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function shown(value: Task[keyof Task]): string {
  return Array.isArray(value) ? value.join('; ') : String(value);
}
