import { hostname } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '../../domain/exit.ts';
import { type CheckpointEntry, StoreError } from '../../domain/ports.ts';
import type { State } from '../../domain/state.ts';
import { GitError } from '../../io/git/index.ts';
import { acquireRunLock } from '../../io/store/index.ts';
import { rollBack as putBack } from '../../loop/index.ts';
import { type CommandResult, type Failure, failure, success } from '../result.ts';
import { openProject, type Project, type ProjectInput, storeFailure } from '../setup/project.ts';
import { findCheckpoint } from './checkpoints.ts';

export type RollbackInput = ProjectInput & {
  /** Id of a checkpoint; `null`: the newest from before an iteration. */
  readonly id: string | null;
};

/** `ralph rollback [ID]`: puts the work tree back to a checkpoint, and keeps what it held. */
export async function rollback(input: RollbackInput): Promise<CommandResult> {
  const opened = await openProject(input);
  if (!opened.ok) return opened;
  const { project } = opened;
  try {
    return await locked(project, 'rollback', async () => {
      const chosen = await chooseCheckpoint(project, input.id);
      return chosen.ok ? rollBack(project, { checkpoint: chosen.entry.id }) : chosen;
    });
  } catch (error) {
    if (error instanceof GitError) return failure(error.message, null, EXIT.unexpected);
    return storeFailure(error);
  }
}

/** Does something that must not happen beside a run. */
export async function locked(
  { root, store }: Project,
  what: string,
  work: () => Promise<CommandResult>,
): Promise<CommandResult> {
  // The lock lies in the folder, which may not be there yet.
  store.commit(() => []);
  const lock = acquireRunLock(join(root, '.ralph', 'run.lock'), { run: what, host: hostname() });
  if (!lock.ok) {
    return failure(
      'A run is going on in this repository, so nothing was changed.',
      'Stop it, or wait for its end (`ralph status`).',
      EXIT.locked,
    );
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function chooseCheckpoint(
  { git, store }: Project,
  id: string | null,
): Promise<{ readonly ok: true; readonly entry: CheckpointEntry } | Failure> {
  const all = await git.checkpoints();
  // A rollback that was cut off is ended first.
  const wanted = id ?? store.refresh().openRollback?.checkpoint ?? all.find(({ kept }) => !kept)?.id;
  if (wanted === undefined) {
    return failure('There is no checkpoint yet: each iteration of a run begins with one.', 'ralph run');
  }
  return findCheckpoint(all, wanted);
}

/**
 * Puts the work tree back to a checkpoint. Tasks that were done after it are open again, as their work is not in the
 * tree any more. The caller holds the lock of the run.
 */
export async function rollBack(
  project: Project,
  { checkpoint }: { readonly checkpoint: string },
): Promise<CommandResult> {
  const { git, store, tracker } = project;
  const entry = (await git.checkpoints()).find(({ id }) => id === checkpoint);
  if (entry === undefined) return failure(`There is no checkpoint ${checkpoint}.`, 'ralph checkpoints');
  const now = await git.snapshot();
  const open = store.refresh().openRollback;
  if (now.tree === entry.tree && open === null) {
    return success({ checkpoint, changed: 0, kept: [], reopened: [], paths: [] });
  }
  const reopened = doneAfter(store.state, entry);
  const back = await putBack(project, { checkpoint, tree: entry.tree, taskId: null, reopened });
  if (!back.ok) return failure(back.message, null, EXIT.unexpected);
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
  return success({
    checkpoint,
    changed: back.paths.length,
    kept: [...back.kept],
    reopened: [...reopened],
    paths: [...back.paths],
    warnings,
  });
}

/** Tasks that were verified after a checkpoint was made. */
function doneAfter({ tasks }: State, { id, at, kept }: CheckpointEntry): readonly string[] {
  const number = kept ? null : Number(id.split('/').at(-1));
  return Object.entries(tasks).flatMap(([taskId, { doneBy }]) => {
    if (doneBy === null) return [];
    const after = number === null ? doneBy.at > at : doneBy.iteration >= number;
    return after ? [taskId] : [];
  });
}
