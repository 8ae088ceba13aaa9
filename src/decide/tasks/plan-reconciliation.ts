import type { ReconcileFacts, ReconcileStep } from '../../domain/choice.ts';

/**
 * How task file and journal come to agree where they differ. A file that is as ralph last accepted it, but lacks a
 * mark of the journal, was not written because ralph was killed in between: the mark is set now. In a file that has
 * changed since, you removed the mark: a blocked task starts a new series of attempts, and one that was done is
 * to be done again. The mark of a task that
 * was unblocked by a command is taken away either way.
 */
export function planReconciliation(facts: ReconcileFacts): ReconcileStep[] {
  const asAccepted = facts.sha256 === facts.accepted;
  const steps = facts.tasks.flatMap(({ id, done, blocked }): ReconcileStep[] => {
    const settled = blocked && facts.holdsBlocked;
    if (!asAccepted) return settled ? [{ kind: 'unblock', taskId: id }] : [];
    return [
      ...(done ? [{ kind: 'mark', taskId: id, status: 'done' } as const] : []),
      ...(settled ? [{ kind: 'mark', taskId: id, status: 'blocked' } as const] : []),
    ];
  });
  const opens = facts.tasks.flatMap(({ id, staleMark }): ReconcileStep[] =>
    staleMark ? [{ kind: 'mark', taskId: id, status: 'open' }] : [],
  );
  if (asAccepted) return [...steps, ...opens];
  const reopened = facts.tasks.filter(({ done }) => done).map(({ id }) => id);
  return [...steps, { kind: 'accept', reopened }, ...opens];
}
