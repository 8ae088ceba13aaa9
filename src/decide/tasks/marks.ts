import type { FileHistory } from '../../domain/ports.ts';
import type { ReconcileFacts, ReconcileStep } from '../../domain/records/choice.ts';
import type { TakenBack } from '../../domain/records/marks.ts';
import { openIterations, type State } from '../../domain/records/state.ts';
import type { Task, TaskStatus } from '../../domain/task.ts';

/** Names of the tasks that a text of the tracker calls done (`markName`). */
export type Marks = ReadonlySet<string>;

/** `FileHistory` with the marks of each text. */
export type MarkHistory = {
  readonly head: Marks;
  readonly since: Marks;
  readonly versions: readonly (Pick<FileHistory['versions'][number], 'commit' | 'author'> & {
    readonly marks: Marks;
    readonly parents: readonly Marks[];
  })[];
};

/** A mark is one of the same task only with the same title. */
export function markName({ id, title }: Pick<Task, 'id' | 'title'>): string {
  return JSON.stringify([id, title]);
}

/**
 * The commit that brought each mark, by the mark's name: it holds the mark and no parent of it does. A mark that was
 * there when the last run ended is explained by none, however it is merged, rebased or picked later.
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

/** What commits hold of the statuses of a list, each by the id of its task. */
export type StatusHistory = {
  readonly head: Statuses;
  /** Commits since the task was done or blocked. */
  readonly versions: readonly { readonly statuses: Statuses; readonly parents: readonly Statuses[] }[];
};
export type Statuses = ReadonlyMap<string, TaskStatus>;

/**
 * Whether the missing mark of a task decides nothing: the list says of it what HEAD says, as after `git checkout`, a stash
 * or a reset, and no commit took the mark away.
 */
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

/**
 * Whether commits may explain marks now: no attempt is open, the last run ended in order, and it is known what was there
 * then. A run that is at work is the caller's to know.
 */
export function commitsMayExplain({ heads, workplaces, runs }: State): boolean {
  if (heads.known === null) return false;
  if (openIterations({ workplaces }).length > 0) return false;
  return runs.at(-1)?.endedAt != null;
}

/**
 * How task file and journal come to agree where they differ. A mark of the journal that is missing from a file which is
 * as ralph last accepted it was not written, because ralph was killed in between: it is set now. So are marks that went
 * while an attempt was open. One that went back to what HEAD has still counts and isn't written: a stash may hold it, and
 * git brings none back to a file that was changed meanwhile. Only what a run commits in the end is written again. In a
 * file that changed otherwise, you removed the mark: a blocked task starts a new series of attempts, and one that was done
 * is to be done again. A stale mark is taken away either way.
 */
export function planReconciliation(facts: ReconcileFacts): ReconcileStep[] {
  const { tasks, cutOff, holdsBlocked, commitsMarks } = facts;
  const asAccepted = facts.sha256 === facts.accepted;
  const isRemoved = ({ takenBack, wasTakenBack }: ReconcileFacts['tasks'][number]) =>
    !takenBack && !cutOff && (!asAccepted || wasTakenBack);
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
  // First: what is written next is accepted as it is written.
  return [{ kind: 'accept', reopened, takenBack }, ...steps, ...opens];
}
