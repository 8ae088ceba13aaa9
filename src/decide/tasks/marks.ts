import type { FileHistory } from '../../domain/ports.ts';
import type { ReconcileFacts, ReconcileStep } from '../../domain/records/choice.ts';
import type { TakenBack } from '../../domain/records/marks.ts';
import { openIterations, type State } from '../../domain/records/state.ts';
import type { Task, TaskStatus } from '../../domain/task.ts';

/** Names (`markName`) of the tasks that are marked as done in a version of the tracker. */
export type Marks = ReadonlySet<string>;

export type MarkHistory = {
  readonly head: Marks;
  readonly since: Marks;
  readonly versions: readonly (Pick<FileHistory['versions'][number], 'commit' | 'author'> & {
    readonly marks: Marks;
    readonly parents: readonly Marks[];
  })[];
};

/** Returns the name of a mark. It includes the title, so that a later task with the same id has another name. */
export function markName({ id, title }: Pick<Task, 'id' | 'title'>): string {
  return JSON.stringify([id, title]);
}

/**
 * Returns the commit of each mark by name: the commit that has the mark although none of its parents does. A mark older
 * than the end of the last run isn't explained, even if it is merged, rebased or picked later.
 */
export function explainMarks(
  names: readonly string[],
  { head, since, versions }: MarkHistory,
): ReadonlyMap<string, { readonly commit: string; readonly author: string }> {
  const explained = names.flatMap((name) => {
    if (!head.has(name) || since.has(name)) return [];
    const from = versions.find(
      ({ marks, parents }) => marks.has(name) && !parents.some((parent) => parent.has(name)),
    );
    return from === undefined ? [] : [[name, { commit: from.commit, author: from.author }] as const];
  });
  return new Map(explained);
}

export type StatusHistory = {
  readonly head: Statuses;
  readonly versions: readonly { readonly statuses: Statuses; readonly parents: readonly Statuses[] }[];
};
export type Statuses = ReadonlyMap<string, TaskStatus>;

/** Returns whether a missing mark decides nothing: the list agrees with HEAD, and no commit removed the mark. */
export function isTakenBack(
  { taskId, mark }: TakenBack,
  status: TaskStatus,
  { head, versions }: StatusHistory,
): boolean {
  if (head.get(taskId) !== status) return false;
  return !versions.some(
    ({ statuses, parents }) =>
      statuses.get(taskId) !== mark && parents.some((parent) => parent.get(taskId) === mark),
  );
}

/** Returns whether commits may explain marks. The caller has to make sure that no run is active. */
export function commitsMayExplain({ heads, workplaces, runs }: State): boolean {
  if (heads.known === null) return false;
  if (openIterations({ workplaces }).length > 0) return false;
  return runs.at(-1)?.endedAt != null;
}

/**
 * Returns the steps that make task file and journal agree. Missing marks are written if the file is unchanged, or if
 * they never were in it: ralph was killed before it wrote them. Marks that vanished during an open attempt are
 * written, too. A mark that is again as in HEAD keeps counting but isn't written, because a stash may have it, and
 * git doesn't apply a stash to a changed file; only marks that the run will commit are written. If the file has other
 * changes, you removed the mark: a blocked task gets a new series, and a done task is open again. Stale marks are
 * always removed.
 */
export function planReconciliation(facts: ReconcileFacts): ReconcileStep[] {
  const { tasks, cutOff, holdsBlocked, commitsMarks } = facts;
  const asAccepted = facts.sha256 === facts.accepted;
  const isRemoved = ({ takenBack, wasTakenBack, unmarked }: ReconcileFacts['tasks'][number]) =>
    !takenBack && !unmarked && !cutOff && (!asAccepted || wasTakenBack);
  const steps = tasks.flatMap((task): ReconcileStep[] => {
    const { id: taskId, done, blocked, takenBack } = task;
    const isBlocked = blocked && holdsBlocked;
    if (isRemoved(task)) return isBlocked ? [{ kind: 'unblock', taskId }] : [];
    return [
      ...(done && (!takenBack || commitsMarks) ? [{ kind: 'mark', taskId, status: 'done' } as const] : []),
      ...(isBlocked && !takenBack ? [{ kind: 'mark', taskId, status: 'blocked' } as const] : []),
    ];
  });
  const opens = tasks.flatMap(({ id, staleMark }): ReconcileStep[] =>
    staleMark ? [{ kind: 'mark', taskId: id, status: 'open' }] : [],
  );
  if (asAccepted && !tasks.some((task) => task.wasTakenBack && isRemoved(task))) return [...steps, ...opens];
  const reopened = tasks.filter((task) => task.done && isRemoved(task)).map(({ id }) => id);
  const takenBack = tasks.filter((task) => task.takenBack).map(({ id }) => id);
  // The accepting step comes first, because later writes are accepted as they are written.
  return [{ kind: 'accept', reopened, takenBack }, ...steps, ...opens];
}
