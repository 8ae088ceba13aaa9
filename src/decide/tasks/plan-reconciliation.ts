import type { ReconcileFacts, ReconcileStep } from '../../domain/records/choice.ts';

/**
 * How task file and journal come to agree where they differ. A mark of the journal that is missing from a file which is
 * as ralph last accepted it was not written, because ralph was killed in between: it is set now. So are marks that went
 * while an attempt was open. In a file that changed otherwise, you removed the mark: a blocked task starts a new series
 * of attempts, and one that was done is to be done again. A stale mark is taken away either way.
 */
export function planReconciliation(facts: ReconcileFacts): ReconcileStep[] {
  const asAccepted = facts.sha256 === facts.accepted;
  const yours = !asAccepted && !facts.cutOff;
  const steps = facts.tasks.flatMap(({ id, done, blocked }): ReconcileStep[] => {
    const settled = blocked && facts.holdsBlocked;
    if (yours) return settled ? [{ kind: 'unblock', taskId: id }] : [];
    return [
      ...(done ? [{ kind: 'mark', taskId: id, status: 'done' } as const] : []),
      ...(settled ? [{ kind: 'mark', taskId: id, status: 'blocked' } as const] : []),
    ];
  });
  const opens = facts.tasks.flatMap(({ id, staleMark }): ReconcileStep[] =>
    staleMark ? [{ kind: 'mark', taskId: id, status: 'open' }] : [],
  );
  if (asAccepted) return [...steps, ...opens];
  const reopened = yours ? facts.tasks.filter(({ done }) => done).map(({ id }) => id) : [];
  // First: what is written next is accepted as it is written.
  return [{ kind: 'accept', reopened }, ...steps, ...opens];
}
