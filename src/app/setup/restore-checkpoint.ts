import { EXIT } from '../../domain/exit.ts';
import { type CheckpointEntry, StoreError } from '../../domain/ports.ts';
import type { State } from '../../domain/records/state.ts';
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
  store.refresh();
  if (now.tree === entry.tree) {
    return success<RollbackData>({ checkpoint, changed: 0, kept: [], reopened: [], paths: [] });
  }
  const reopened = doneAfter(store.state, entry);
  const { tree } = entry;
  const kept = await git.keepForRestore(tree, `replaced by the rollback to ${checkpoint}`);
  const back = await git.restore(tree, kept);
  if (back.kind === 'failed') {
    const message = `The work tree could not be put back to checkpoint ${checkpoint}: ${back.reason} What it held is kept as ${kept.id}.`;
    return failure(message, `ralph rollback ${checkpoint}`, EXIT.unexpected);
  }
  const { paths, alsoKept } = back;
  store.commit(() => [
    {
      type: 'rollback_finished',
      ...{ ...workplace, checkpoint, tree, kept: kept.id, taskId: null },
      ...{ paths: [...paths], reopened: [...reopened], feedback: [], throttle: null, baseline: null },
    },
  ]);
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
  const all = alsoKept === null ? [kept.id] : [kept.id, alsoKept];
  return success<RollbackData>({ checkpoint, changed: paths.length, kept: all, reopened, paths, warnings });
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
