import type { Snapshot } from '../../domain/change-set.ts';
import type { KnownCheckpoint } from '../../domain/intervention.ts';
import { type Ports, RestoreRefused } from '../../domain/ports.ts';
import {
  type OpenRollback,
  type State,
  taskStateOf,
  type Workplace,
  workplaceStateOf,
} from '../../domain/records/state.ts';

type RolledBack =
  | {
      readonly kind: 'done';
      /** The work tree as it is now. */
      readonly snapshot: Snapshot;
      /** Checkpoints that hold what was replaced. */
      readonly kept: readonly string[];
      readonly paths: readonly string[];
    }
  /** The work tree couldn't be put back whole; the rollback stays open. */
  | { readonly kind: 'failed'; readonly message: string };

type Place = { readonly ports: Pick<Ports, 'store' | 'git'>; readonly workplace: Workplace };

type Target = Pick<OpenRollback, 'checkpoint' | 'tree' | 'taskId'> & {
  /** What applies to the task again; absent if you rolled back. */
  readonly restored?: Pick<KnownCheckpoint, 'feedback' | 'throttle' | 'baseline'>;
  /** Tasks that were done after the checkpoint. */
  readonly reopened?: readonly string[];
};

/**
 * Puts the work tree back. What it held is kept first and announced in the journal, so that a rollback that was cut off
 * is ended by the next run (`openRollback`), and nothing is lost whenever that happens.
 */
export async function rollBack(
  { ports: { store, git }, workplace }: Place,
  target: Target,
): Promise<RolledBack> {
  const { checkpoint, tree, taskId, restored, reopened = [] } = target;
  const kept = await git.keepForRestore(tree, `replaced by the rollback to ${checkpoint}`);
  const open = { ...workplace, purpose: 'rollback' as const, checkpoint, tree, kept: kept.id, taskId };
  store.commit(() => [{ type: 'rollback_started', ...open }]);
  const outcome = await git.restore(tree, kept);
  if (outcome.kind === 'failed') {
    return {
      kind: 'failed',
      message:
        `The work tree could not be put back to checkpoint ${checkpoint}: ${outcome.reason} ` +
        `What it held is kept as ${kept.id}. Fix that, then \`ralph rollback ${checkpoint}\` finishes it.`,
    };
  }
  store.commit(() => [
    {
      type: 'rollback_finished',
      ...open,
      // Git may name the same files by another tree: a file is ignored now that the user's index had then.
      tree: outcome.snapshot.tree,
      paths: [...outcome.paths],
      reopened: [...reopened],
      feedback: [...(restored?.feedback ?? [])],
      throttle: restored?.throttle ?? null,
      baseline: restored?.baseline ?? null,
    },
  ]);
  const { alsoKept, snapshot, paths } = outcome;
  return { kind: 'done', snapshot, paths, kept: alsoKept === null ? [kept.id] : [kept.id, alsoKept] };
}

/** `refused`: it can't be done, so it isn't open any more and its task waits for you. */
type Ended = RolledBack | { readonly kind: 'refused'; readonly reason: string };

/**
 * Does the rollback of a workplace that is on record and has no end yet; `null` where there is none.
 * @throws RestoreRefused for one that you asked for.
 */
export async function endRollback(place: Place): Promise<Ended | null> {
  const { ports, workplace } = place;
  const { state } = ports.store;
  const open = workplaceStateOf(state, workplace).openRollback;
  if (open === null) return null;
  const { checkpoint, taskId } = open;
  try {
    return await rollBack(place, { ...open, ...restoredWith(state, workplace, open) });
  } catch (error) {
    if (!(error instanceof RestoreRefused) || taskId === null) throw error;
    const reason = `The rollback to checkpoint ${checkpoint} was not done. ${error.message} Run: ralph rollback ${checkpoint}`;
    ports.store.commit(() => [{ type: 'rollback_refused', ...workplace, checkpoint, taskId, reason }]);
    return { kind: 'refused', reason };
  }
}

/** What holds again for the task of a rollback. */
function restoredWith(
  state: State,
  workplace: Workplace,
  { checkpoint, taskId }: OpenRollback,
): Pick<Target, 'restored'> {
  const target = workplaceStateOf(state, workplace).checkpoints.find(({ id }) => id === checkpoint);
  if (target === undefined || taskId === null) return {};
  // What is said of the rollback itself holds, and so do limits that were lowered with it.
  const guidance = state.feedback.filter(
    (entry) => entry.taskId === taskId && entry.source === 'loop' && GUIDANCE.has(entry.kind),
  );
  const { throttle, interventions } = taskStateOf(state, taskId);
  const newest = interventions.at(-1)?.iteration;
  const lowered = interventions.some(
    ({ iteration, type }) => iteration === newest && type === 'resource_throttling',
  );
  return {
    restored: {
      feedback: [...target.feedback, ...guidance],
      throttle: lowered ? throttle : target.throttle,
      baseline: target.baseline,
    },
  };
}

/** Kinds of feedback that a rollback adds. */
const GUIDANCE: ReadonlySet<string> = new Set(['checkpoint_rollback', 'soft_correction']);
