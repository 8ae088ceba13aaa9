import type { Task } from '../../domain/task.ts';

type Listed = Pick<Task, 'id' | 'title' | 'status' | 'dependsOn'>;
type Waiting = { readonly id: string; readonly title: string; readonly waitsFor: readonly string[] };

/** Returns tasks that wait for a blocked task, directly or through other open tasks. */
export function waitingForBlocked(tasks: readonly Listed[]): Waiting[] {
  const dependents = new Map<string, Listed[]>();
  for (const task of tasks) {
    if (task.status === 'done' || task.status === 'blocked') continue;
    for (const id of task.dependsOn) dependents.set(id, [...(dependents.get(id) ?? []), task]);
  }
  const causes = new Map<string, string[]>();
  for (const { id, status } of tasks) {
    if (status !== 'blocked') continue;
    const seen = new Set<string>();
    const left = [...(dependents.get(id) ?? [])];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if (seen.has(next.id)) continue;
      seen.add(next.id);
      causes.set(next.id, [...(causes.get(next.id) ?? []), id]);
      left.push(...(dependents.get(next.id) ?? []));
    }
  }
  return tasks.flatMap(({ id, title }) => {
    const waitsFor = causes.get(id);
    return waitsFor === undefined ? [] : [{ id, title, waitsFor }];
  });
}
