import { nearest } from 'ralph-kit/nearest';
import type { GivenUp, Task, TaskLine, TrackerProblem } from './task.ts';

/** Maximum number of unknown ids for which a similar id is suggested, because searching a long list takes time. */
const HINTS = 20;

/**
 * Returns a function that finds a task by your reference: its id in any case, or its number in the file from 1. Numbers
 * aren't accepted if ids are numbers themselves.
 */
export function taskFinder(ids: readonly string[]): (reference: string) => string | null {
  const exact = new Set(ids);
  const numbered = ids.every((id) => /^(?:#|\d+(?:\.\d+)*$)/.test(id));
  let folded: Map<string, string> | null = null;
  return (reference) => {
    if (exact.has(reference)) return reference;
    const bare = reference.replace(/^#/, '');
    if (/^\d{1,9}$/.test(bare)) {
      if (exact.has(bare)) return bare;
      if (exact.has(`#${bare}`)) return `#${bare}`;
      return numbered ? null : (ids[Number(bare) - 1] ?? null);
    }
    // Most references are exact ids or numbers, so this map is only made when needed. The first of ids that differ in
    // case alone counts.
    folded ??= new Map([...ids].reverse().map((id) => [id.toLowerCase(), id]));
    return folded.get(reference.toLowerCase()) ?? folded.get(bare.toLowerCase()) ?? null;
  };
}

/** Returns the ids for these names, each once. A name without a task is returned unchanged. */
export function idsOfNames(
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

/** Ids of given-up tasks. Tasks that depend on `freed` ones may start; those that depend on `kept` ones may not. */
type Over = { readonly freed?: readonly string[]; readonly kept?: readonly string[] };

/** Returns a function that returns the ids that a reference of a task means; one that names no task stays. */
export function referenceReader(
  ids: readonly string[],
  { freed = [], kept = [] }: Over = {},
): (name: string, own: string) => readonly string[] {
  const over = new Map([...freed, ...kept].map((id) => [id.toLowerCase(), id]));
  const known = new Set(ids);
  const find = taskFinder(ids);
  return (name, own) => {
    if (known.has(name)) return [name];
    const gone = over.get(name.replace(/^#/, '').toLowerCase()) ?? over.get(name.toLowerCase());
    if (gone !== undefined) return freed.includes(gone) ? [] : [gone];
    return meantBy(name, own, ids, find);
  };
}

/** Replaces references by ids; a reference that names no task stays, so that `checkDependencies` reports it. */
export function resolveDependencies(tasks: Task[], over: Over = {}): Task[] {
  if (tasks.every((task) => task.dependsOn.length === 0)) return tasks;
  const ids = tasks.map((task) => task.id);
  const known = new Set(ids);
  const read = referenceReader(ids, over);
  for (const task of tasks) {
    if (task.dependsOn.every((id) => known.has(id))) continue;
    task.dependsOn = [...new Set(task.dependsOn.flatMap((name) => read(name, task.id)))];
  }
  return tasks;
}

/**
 * Returns the ids that a reference means: one task, the tasks of a group (`2`, `2.x` for `2.1`) or range (`T001-T004`),
 * or the task that has the named part (`2.1`).
 */
function meantBy(
  name: string,
  own: string,
  ids: readonly string[],
  find: (reference: string) => string | null,
): readonly string[] {
  const group = /^(?:(?:section|phase|group)\s+)?(\d+(?:\.\d+)*)(?:\.[x*])?$/i.exec(name)?.[1];
  const members = group === undefined ? [] : ids.filter((id) => id.startsWith(`${group}.`) && id !== own);
  if (members.length > 0) return members;
  const [, first = '', last = ''] = /^(\S+?)\s*(?:[-–—]|to\s)\s*(\S+)$/.exec(name) ?? [];
  const [from, to] = [ids.indexOf(first), ids.indexOf(last)];
  if (from !== -1 && from < to) return ids.slice(from, to + 1).filter((id) => id !== own);
  const whole = /^(.+)\.\d+$/.exec(name)?.[1] ?? '';
  return [find(name) ?? (ids.includes(whole) ? whole : name)];
}

/** Returns references to a part of a task (`2.5`). The dependent task then waits for the whole task with that part. */
export function partsWaitedFor(references: readonly string[], ids: readonly string[]): string[] {
  return references.filter((name) => {
    const whole = /^(.+)\.\d+$/.exec(name)?.[1];
    return whole !== undefined && !ids.includes(name) && ids.includes(whole);
  });
}

/** A task with its dependencies, whatever else its statuses are. */
type Waiting = Pick<Task, 'id' | 'dependsOn'> & { readonly status: string };

/**
 * Returns problems with unknown dependencies and cycles. Tasks with such problems aren't started; done tasks have none.
 */
export function checkDependencies(
  tasks: readonly Waiting[],
  lineOf: TaskLine = () => null,
  givenUp: readonly GivenUp[] = [],
): TrackerProblem[] {
  const problems: TrackerProblem[] = [];
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const ids = [...byId.keys()];
  for (const task of tasks) {
    if (task.status === 'done') continue;
    for (const id of task.dependsOn) {
      if (byId.has(id)) continue;
      if (givenUp.some((one) => one.id === id)) {
        problems.push({
          line: lineOf(task.id, 'dependsOn'),
          message: `${task.id} depends on ${id}, which the list gives up: open ${id} again, or take the dependency out of ${task.id}`,
          tasks: [task.id],
        });
        continue;
      }
      const near =
        problems.length < HINTS
          ? nearest(
              id,
              ids.filter((one) => one !== task.id),
            )
          : null;
      const hint = near === null ? '`ralph tasks` lists the known ids' : `did you mean ${near}?`;
      problems.push({
        line: lineOf(task.id, 'dependsOn'),
        message: `${task.id} depends on ${id}, which isn't a task here: ${hint}`,
        tasks: [task.id],
      });
    }
  }
  for (const cycle of findCycles(tasks, byId)) {
    const path = [...cycle, cycle[0]].join(' → ');
    problems.push({
      line: lineOf(cycle[0] ?? '', 'dependsOn'),
      message: `these tasks wait for each other: ${path}; remove one of the dependencies`,
      tasks: cycle,
    });
  }
  return problems;
}

/**
 * Returns one cycle for each back edge of a depth-first search. The search has its own stack, because a long chain
 * would overflow the call stack.
 */
function findCycles(tasks: readonly Waiting[], byId: ReadonlyMap<string, Waiting>): string[][] {
  const cycles: string[][] = [];
  const seen = new Map<string, 'on path' | 'finished'>();
  for (const start of tasks) {
    if (start.dependsOn.length === 0 || seen.has(start.id)) continue;
    const path: { readonly task: Waiting; next: number }[] = [{ task: start, next: 0 }];
    seen.set(start.id, 'on path');
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const id: string | undefined = top.task.status === 'done' ? undefined : top.task.dependsOn[top.next];
      top.next += 1;
      if (id === undefined) {
        seen.set(top.task.id, 'finished');
        path.pop();
      } else if (seen.get(id) === 'on path') {
        const from = path.findIndex((step) => step.task.id === id);
        cycles.push(path.slice(from).map((step) => step.task.id));
      } else {
        const task = byId.get(id);
        if (task !== undefined && !seen.has(id)) {
          seen.set(id, 'on path');
          path.push({ task, next: 0 });
        }
      }
    }
  }
  return cycles;
}
