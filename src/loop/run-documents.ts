import type { Ports } from '../domain/ports.ts';
import type { ChoiceFacts, ListedTask, TaskListDocument } from '../domain/records/choice.ts';
import { documentName, type InputsDocument } from '../domain/records/run-record.ts';
import type { Task } from '../domain/task.ts';

/** Maximum number of statuses that may differ from the list on disk. If more do, a new list is written. */
const MAX_STATUSES = 200;

/**
 * Documents that are written once for each content, beside the iterations. Otherwise ten thousand tasks would cost a
 * megabyte in every iteration.
 */
export type RunDocuments = {
  readonly tasks: (tasks: readonly Task[]) => Pick<ChoiceFacts, 'tasks' | 'statuses'>;
  readonly inputs: (inputs: InputsDocument) => string;
};

export function openRunDocuments(run: string, { store, ids }: Pick<Ports, 'store' | 'ids'>): RunDocuments {
  const written = new Set<string>();
  let list: { readonly tasks: readonly ListedTask[]; readonly name: string } | null = null;
  let newest: { readonly text: string; readonly name: string } | null = null;

  function write(kind: string, text: string): string {
    const name = documentName(kind, ids.sha256(text));
    if (!written.has(name)) store.writeDocument(`runs/${run}/${name}`, text);
    written.add(name);
    return name;
  }

  return {
    tasks: (tasks) => {
      const statuses = list === null ? null : statusChanges(list.tasks, tasks);
      if (list !== null && statuses !== null && statuses.length <= MAX_STATUSES) {
        return { tasks: list.name, statuses };
      }
      const listed = tasks.map(({ id, title, status, priority, dependsOn, assignee, problem }) => ({
        id,
        title,
        status,
        priority,
        dependsOn,
        assignee,
        problem,
      }));
      const document: TaskListDocument = { $schema: 'ralph.tasks.v1', tasks: listed };
      list = { tasks: listed, name: write('tasks', `${JSON.stringify(document)}\n`) };
      return { tasks: list.name, statuses: [] };
    },
    inputs: (inputs) => {
      const text = `${JSON.stringify(inputs, null, 1)}\n`;
      if (newest?.text === text) return newest.name;
      newest = { text, name: write('inputs', text) };
      return newest.name;
    },
  };
}

/** Returns the statuses that changed; `null`: other fields changed, too. */
function statusChanges(before: readonly ListedTask[], now: readonly Task[]): ChoiceFacts['statuses'] | null {
  if (before.length !== now.length) return null;
  const changes: ChoiceFacts['statuses'] = [];
  for (const [index, task] of now.entries()) {
    const known = before[index];
    if (known === undefined || !isSame(known, task)) return null;
    if (known.status !== task.status) changes.push({ id: task.id, status: task.status });
  }
  return changes;
}

function isSame(known: ListedTask, task: Task): boolean {
  return (
    known.id === task.id &&
    known.title === task.title &&
    known.priority === task.priority &&
    known.assignee === task.assignee &&
    known.problem === task.problem &&
    known.dependsOn.length === task.dependsOn.length &&
    known.dependsOn.every((id, index) => id === task.dependsOn[index])
  );
}
