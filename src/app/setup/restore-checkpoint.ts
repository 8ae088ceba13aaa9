import { EXIT } from '../../domain/exit.ts';
import { type CheckpointEntry, StoreError } from '../../domain/ports.ts';
import { type State, workplaceStateOf } from '../../domain/records/state.ts';
import { rollBack } from '../../loop/index.ts';
import { failure, success } from '../result.ts';
import type { Project } from './project.ts';

export type RollbackData = {
  readonly checkpoint: string;
  /** How many paths changed; `paths` names them. */
  readonly changed: number;
  /** Checkpoints that hold what the work tree held before. */
  readonly kept: readonly string[];
  readonly reopened: readonly string[];
  readonly paths: readonly string[];
  readonly warnings?: readonly string[];
};

/**
 * Puts the work tree back to a checkpoint. Tasks that were done after it are open again, as their work is not in the
 * tree any more. The caller holds the lock of the run.
 */
export async function restoreCheckpoint(project: Project, checkpoint: string) {
  const { git, store, tracker, workplace } = project;
  const entry = (await git.checkpoints()).find(({ id }) => id === checkpoint);
  if (entry === undefined) return failure(`There is no checkpoint ${checkpoint}.`, 'ralph checkpoints');
  const now = await git.snapshot();
  const open = workplaceStateOf(store.refresh(), workplace).openRollback;
  if (now.tree === entry.tree && open === null) {
    return success<RollbackData>({ checkpoint, changed: 0, kept: [], reopened: [], paths: [] });
  }
  const reopened = doneAfter(store.state, entry);
  const back = await rollBack(
    { ports: project, workplace },
    { checkpoint, tree: entry.tree, taskId: null, reopened },
  );
  if (back.kind === 'failed') return failure(back.message, null, EXIT.unexpected);
  const warnings: string[] = [];
  for (const id of reopened) {
    try {
      await tracker.setStatus(id, 'open');
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      warnings.push(`${id} could not be opened again in the task list: ${error.message}`);
    }
  }
  store.writeViews();
  const { kept, paths } = back;
  return success<RollbackData>({ checkpoint, changed: paths.length, kept, reopened, paths, warnings });
}

/** Tasks that became done after a checkpoint was made. */
function doneAfter({ tasks }: State, { id, at, kept }: CheckpointEntry): readonly string[] {
  const number = kept ? null : Number(id.split('/').at(-1));
  return Object.entries(tasks).flatMap(([taskId, { doneBy }]) => {
    if (doneBy === null) return [];
    const after = number === null || doneBy.kind !== 'verdict' ? doneBy.at > at : doneBy.iteration >= number;
    return after ? [taskId] : [];
  });
}
