import type { FileHistory } from '../../domain/ports.ts';
import type { ReconcileFacts, ReconcileStep } from '../../domain/records/choice.ts';
import { openIterations, type State } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';

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
 * while an attempt was open. In a file that changed otherwise, you removed the mark: a blocked task starts a new series
 * of attempts, and one that was done is to be done again. A stale mark is taken away either way.
 */
export function planReconciliation(facts: ReconcileFacts): ReconcileStep[] {
  const asAccepted = facts.sha256 === facts.accepted;
  const isUsers = !asAccepted && !facts.cutOff;
  const steps = facts.tasks.flatMap(({ id, done, blocked }): ReconcileStep[] => {
    const isBlocked = blocked && facts.holdsBlocked;
    if (isUsers) return isBlocked ? [{ kind: 'unblock', taskId: id }] : [];
    return [
      ...(done ? [{ kind: 'mark', taskId: id, status: 'done' } as const] : []),
      ...(isBlocked ? [{ kind: 'mark', taskId: id, status: 'blocked' } as const] : []),
    ];
  });
  const opens = facts.tasks.flatMap(({ id, staleMark }): ReconcileStep[] =>
    staleMark ? [{ kind: 'mark', taskId: id, status: 'open' }] : [],
  );
  if (asAccepted) return [...steps, ...opens];
  const reopened = isUsers ? facts.tasks.filter(({ done }) => done).map(({ id }) => id) : [];
  // First: what is written next is accepted as it is written.
  return [{ kind: 'accept', reopened }, ...steps, ...opens];
}
