import type { Snapshot } from '../../domain/change-set.ts';
import { pathsOf } from '../../domain/change-set.ts';
import type { KnownCheckpoint } from '../../domain/intervention.ts';
import {
  type OpenRollback,
  type State,
  taskStateOf,
  type Workplace,
  workplaceStateOf,
} from '../../domain/records/state.ts';
import type { LoopContext } from '../context.ts';

type RolledBack = {
  /** What the copy holds now. */
  readonly snapshot: Snapshot;
  /** The checkpoint that holds what was replaced. */
  readonly kept: string;
  readonly paths: readonly string[];
};

/**
 * Does the rollback that is on record and has no end yet: the copy goes back to a checkpoint, and what it held is kept. `null`
 * where there is none.
 */
export async function endRollback({
  ports: { store, git, work },
  workplace,
}: Pick<LoopContext, 'ports' | 'workplace'>): Promise<RolledBack | null> {
  const { state } = store;
  const open = workplaceStateOf(state, workplace).openRollback;
  const base = work.base();
  if (open === null || base === null) return null;
  const { checkpoint, tree, taskId } = open;
  const before = await work.git.snapshot();
  const kept = await git.keep(before.tree, `replaced by the rollback to ${checkpoint}`);
  await work.reset(base, tree);
  const snapshot = await work.git.snapshot();
  const paths = pathsOf(await work.git.diff(before, snapshot));
  const { feedback = [], throttle = null, baseline = null } = restoredWith(state, workplace, open) ?? {};
  store.commit(() => [
    {
      type: 'rollback_finished',
      ...{ ...workplace, purpose: 'rollback', checkpoint, kept, taskId },
      ...{ tree: snapshot.tree, paths, reopened: [] },
      ...{ feedback: [...feedback], throttle, baseline },
    },
  ]);
  return { snapshot, kept, paths };
}

/** What holds again for the task of a rollback. */
function restoredWith(
  state: State,
  workplace: Workplace,
  { checkpoint, taskId }: OpenRollback,
): Pick<KnownCheckpoint, 'feedback' | 'throttle' | 'baseline'> | null {
  const target = workplaceStateOf(state, workplace).checkpoints.find(({ id }) => id === checkpoint);
  if (target === undefined || taskId === null) return null;
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
    feedback: [...target.feedback, ...guidance],
    throttle: lowered ? throttle : target.throttle,
    baseline: target.baseline,
  };
}

/** Kinds of feedback that a rollback adds. */
const GUIDANCE: ReadonlySet<string> = new Set(['checkpoint_rollback', 'soft_correction']);
