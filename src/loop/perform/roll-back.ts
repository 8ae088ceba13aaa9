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
import { keepWork } from './keep-work.ts';

type RolledBack = {
  /** The checkpoint that was gone back to. */
  readonly checkpoint: string;
  /** What the copy holds now. */
  readonly snapshot: Snapshot;
  /** The task whose work was replaced, and is kept; `null`: there was none. */
  readonly taskId: string | null;
  readonly paths: readonly string[];
};

type Place = {
  readonly ports: Pick<LoopContext['ports'], 'store' | 'git' | 'work' | 'ids'>;
  readonly workplace: Workplace;
};

/**
 * Does the rollback that is on record and has no end yet: the copy goes back to a checkpoint, and what it held is kept. `null`
 * where there is none.
 */
export async function endRollback(place: Place): Promise<RolledBack | null> {
  const open = workplaceStateOf(place.ports.store.state, place.workplace).openRollback;
  return open === null ? null : rollBack(place, open, []);
}

/**
 * Brings the copy back to a checkpoint, and keeps what its task's attempts changed. `null`: there is no copy.
 *
 * @param reopened Tasks whose work was taken back with it.
 */
export async function rollBack(
  place: Place,
  { checkpoint, tree, taskId }: Pick<OpenRollback, 'checkpoint' | 'tree' | 'taskId'>,
  reopened: readonly string[],
): Promise<RolledBack | null> {
  const {
    ports: { store, work },
    workplace,
  } = place;
  const base = work.base();
  if (base === null) return null;
  const open = { checkpoint, tree, taskId };
  const before = await work.git.snapshot();
  // One that was cut off may have left the copy half restored.
  const isKept = workplaceStateOf(store.state, workplace).openRollback?.isKept === true;
  const kept = isKept || base.taskId === null ? 'kept' : await keepWork(place, base.taskId, 'replaced', open);
  await work.reset(base, tree);
  const snapshot = await work.git.snapshot();
  const paths = pathsOf(await work.git.diff(before, snapshot));
  const {
    feedback = [],
    throttle = null,
    baseline = null,
  } = restoredWith(store.state, workplace, open) ?? {};
  store.commit(() => [
    {
      type: 'rollback_finished',
      ...{ ...workplace, checkpoint, taskId },
      ...{ tree: snapshot.tree, paths, reopened: [...reopened] },
      ...{ feedback: [...feedback], throttle, baseline },
    },
  ]);
  return { checkpoint, snapshot, taskId: kept === 'kept' ? base.taskId : null, paths };
}

/** What holds again for the task of a rollback. */
function restoredWith(
  state: State,
  workplace: Workplace,
  { checkpoint, taskId }: Pick<OpenRollback, 'checkpoint' | 'taskId'>,
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
