import type { Snapshot } from '../../domain/change-set.ts';
import type { KnownCheckpoint } from '../../domain/intervention.ts';
import { type Git, type Ports, RestoreRefused } from '../../domain/ports.ts';
import { EMPTY_TASK_STATE, type OpenRollback, type State } from '../../domain/records/state.ts';

export type RolledBack =
  | {
      readonly ok: true;
      /** The work tree as it is now. */
      readonly snapshot: Snapshot;
      /** Checkpoints that hold what was replaced. */
      readonly kept: readonly string[];
      readonly paths: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

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
  { store, git }: { readonly store: Ports['store']; readonly git: Git },
  target: Target,
): Promise<RolledBack> {
  const { checkpoint, tree, taskId, restored, reopened = [] } = target;
  const kept = await git.keepForRestore(tree, `replaced by the rollback to ${checkpoint}`);
  const open = { checkpoint, tree, kept: kept.id, taskId };
  store.commit(() => [{ type: 'rollback_started', ...open }]);
  const outcome = await git.restore(tree, kept);
  if (outcome.kind === 'failed') {
    return {
      ok: false,
      message:
        `The work tree could not be put back to checkpoint ${checkpoint}: ${outcome.reason} ` +
        `What it held is kept as ${kept.id}. Mend that, then \`ralph rollback ${checkpoint}\` ends what was begun.`,
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
  return { ok: true, snapshot, paths, kept: alsoKept === null ? [kept.id] : [kept.id, alsoKept] };
}

/** `refused`: it can't be done, so it isn't open any more and its task waits for you. */
type Ended = RolledBack | { readonly ok: 'refused'; readonly reason: string };

/**
 * Does the rollback that is on record and has no end yet; `null` where there is none.
 * @throws RestoreRefused for one that you asked for.
 */
export async function endRollback(ports: Pick<Ports, 'store' | 'git'>): Promise<Ended | null> {
  const open = ports.store.state.openRollback;
  if (open === null) return null;
  const { checkpoint, taskId } = open;
  try {
    return await rollBack(ports, { ...open, ...restoredWith(ports.store.state, open) });
  } catch (error) {
    if (!(error instanceof RestoreRefused) || taskId === null) throw error;
    const reason = `The rollback to checkpoint ${checkpoint} was not done. ${error.message} Run: ralph rollback ${checkpoint}`;
    ports.store.commit(() => [{ type: 'rollback_refused', checkpoint, taskId, reason }]);
    return { ok: 'refused', reason };
  }
}

/** What holds again for the task of a rollback. */
function restoredWith(
  { checkpoints, feedback, tasks }: State,
  { checkpoint, taskId }: OpenRollback,
): Pick<Target, 'restored'> {
  const target = checkpoints.find(({ id }) => id === checkpoint);
  if (target === undefined || taskId === null) return {};
  // What is said of the rollback itself holds, and so do limits that were lowered with it.
  const guidance = feedback.filter(
    (entry) => entry.taskId === taskId && entry.source === 'loop' && GUIDANCE.has(entry.kind),
  );
  const { throttle, interventions } = tasks[taskId] ?? EMPTY_TASK_STATE;
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
