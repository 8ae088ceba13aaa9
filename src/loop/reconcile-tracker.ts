import type { ReconcileFacts, ReconcileStep, Reconciliation } from '../domain/choice.ts';
import type { Ports } from '../domain/ports.ts';
import { type State, taskStateOf } from '../domain/state.ts';
import type { LoadedTracker } from './context.ts';

/**
 * How task file and journal come to agree where they differ. A file that is as ralph last accepted it, but lacks a
 * mark of the journal, was not written because ralph was killed in between: the mark is set now. In a file that has
 * changed since, a person took the mark away: a blocked task starts a new series of attempts, and one that was done is
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

/** Makes the task file and the journal agree; `null` where there is nothing to do. */
export async function reconcileTracker(
  { ports }: { readonly ports: Pick<Ports, 'store' | 'tracker'> },
  loaded: LoadedTracker,
): Promise<Reconciliation | null> {
  // A tracker that isn't a file has no marks to agree with.
  if (loaded.paths.length === 0) return null;
  const { store, tracker } = ports;
  const facts = factsOf(loaded, store.state);
  const steps = planReconciliation(facts);
  for (const step of steps) {
    switch (step.kind) {
      case 'mark':
        await tracker.setStatus(step.taskId, step.status);
        break;
      case 'unblock':
        store.commit((state) =>
          // A command may have done it since.
          taskStateOf(state, step.taskId).blocked === null
            ? []
            : [
                {
                  type: 'task_unblocked',
                  taskId: step.taskId,
                  reason: 'the mark was taken away in the task file',
                  timeoutSeconds: null,
                  strategy: null,
                  automatic: false,
                  marked: false,
                },
              ],
        );
        break;
      case 'accept':
        store.commit(() => [
          { type: 'tracker_accepted', sha256: loaded.sha256, reopened: step.reopened, opened: null },
        ]);
    }
  }
  return steps.length === 0 ? null : { facts, steps };
}

function factsOf({ sha256, holdsBlocked, tasks }: LoadedTracker, state: State): ReconcileFacts {
  return {
    sha256,
    accepted: state.trackerSha256,
    holdsBlocked,
    tasks: tasks.flatMap(({ id, status }): ReconcileFacts['tasks'] => {
      const known = Object.hasOwn(state.tasks, id) ? state.tasks[id] : undefined;
      if (known === undefined) return [];
      if (holdsBlocked && known.staleMark && known.blocked === null && status !== 'done') {
        return [{ id, done: false, blocked: false, staleMark: true }];
      }
      if (status === 'done' || status === 'blocked') return [];
      const done = known.doneBy !== null;
      const blocked = known.blocked !== null;
      return done || blocked ? [{ id, done, blocked, staleMark: false }] : [];
    }),
  };
}
