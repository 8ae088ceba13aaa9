import type { Task, TaskLine, TrackerProblem } from '../../domain/task.ts';
import { nearest } from '../../lib/nearest.ts';

/** Looking for the nearest id takes a while in a long list: the first ones do. */
const HINTS = 20;

/**
 * Finds a task by the name that you give it: its id, its id in another case, or its 1-based number in the file (not where the ids are
 * numbers themselves).
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
    // Made when it is first needed: most references are exact or numbers. The first of equals wins.
    folded ??= new Map([...ids].reverse().map((id) => [id.toLowerCase(), id]));
    return folded.get(reference.toLowerCase()) ?? folded.get(bare.toLowerCase()) ?? null;
  };
}

/** Puts ids in the place of the references as written; what names no task stays, for `checkDependencies` to report. */
export function resolveDependencies(tasks: Task[]): Task[] {
  if (tasks.every((task) => task.dependsOn.length === 0)) return tasks;
  const ids = tasks.map((task) => task.id);
  const known = new Set(ids);
  const find = taskFinder(ids);
  for (const task of tasks) {
    if (task.dependsOn.every((id) => known.has(id))) continue;
    task.dependsOn = [
      ...new Set(
        task.dependsOn.flatMap((name) => (known.has(name) ? [name] : meantBy(name, task.id, ids, find))),
      ),
    ];
  }
  return tasks;
}

/** One task; those of a group (`2`, `2.x` of `2.1`), or of a range (`T001-T004`); of a part (`2.1`) the task that has it. */
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

/** Unknown dependencies and cycles: such tasks aren't worked on. What is done waits for nothing. */
export function checkDependencies(tasks: readonly Task[], lineOf: TaskLine = () => null): TrackerProblem[] {
  const problems: TrackerProblem[] = [];
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const ids = [...byId.keys()];
  for (const task of tasks) {
    if (task.status === 'done') continue;
    for (const id of task.dependsOn) {
      if (byId.has(id)) continue;
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

/** One cycle for each back edge met on a walk that is kept on a stack of its own, so that a long chain can't overflow. */
function findCycles(tasks: readonly Task[], byId: ReadonlyMap<string, Task>): string[][] {
  const cycles: string[][] = [];
  const seen = new Map<string, 'on path' | 'finished'>();
  for (const start of tasks) {
    if (start.dependsOn.length === 0 || seen.has(start.id)) continue;
    const path: { readonly task: Task; next: number }[] = [{ task: start, next: 0 }];
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
