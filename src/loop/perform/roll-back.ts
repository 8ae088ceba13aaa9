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
  readonly checkpoint: string;
  readonly snapshot: Snapshot;
  /** Task whose work was replaced and kept; `null`: there was no work. */
  readonly taskId: string | null;
  readonly paths: readonly string[];
};

type Place = {
  readonly ports: Pick<LoopContext['ports'], 'store' | 'git' | 'work' | 'ids'>;
  readonly workplace: Workplace;
};

/** Finishes a rollback that is on record. Returns its result; `null`: no rollback is open. */
export async function endRollback(place: Place): Promise<RolledBack | null> {
  const open = workplaceStateOf(place.ports.store.state, place.workplace).openRollback;
  return open === null ? null : rollBack(place, open, []);
}

/**
 * Rolls the copy back and keeps the work of its task. Returns `null` if there is no copy.
 * @param reopened Ids of tasks whose done work the rollback takes back
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
  // A killed rollback may have restored only a part of the copy, after the work was kept.
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
      ...workplace,
      checkpoint,
      taskId,
      tree: snapshot.tree,
      paths,
      reopened: [...reopened],
      feedback: [...feedback],
      throttle,
      baseline,
    },
  ]);
  return { checkpoint, snapshot, taskId: kept === 'kept' ? base.taskId : null, paths };
}

function restoredWith(
  state: State,
  workplace: Workplace,
  { checkpoint, taskId }: Pick<OpenRollback, 'checkpoint' | 'taskId'>,
): Pick<KnownCheckpoint, 'feedback' | 'throttle' | 'baseline'> | null {
  const target = workplaceStateOf(state, workplace).checkpoints.find(({ id }) => id === checkpoint);
  if (target === undefined || taskId === null) return null;
  // Feedback about the rollback stays in force, and so do limits that it lowered.
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

const GUIDANCE: ReadonlySet<string> = new Set(['checkpoint_rollback', 'soft_correction']);
