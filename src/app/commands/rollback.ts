import { taskWorkFailure } from '../records/kept-work.ts';
import { type RollbackData, restoreCheckpoint } from '../records/restore-checkpoint.ts';
import { failure } from '../result.ts';
import { inProject, type Project } from '../setup/project.ts';
import { withRunLock } from '../setup/run-lock.ts';
import type { ProjectInput } from '../setup/workspace.ts';
import { findCheckpoint } from './checkpoints.ts';

export type RollbackResult = RollbackData;

/** Restores a checkpoint in the work tree, by default the newest. The current content is saved first. */
export function rollback(input: ProjectInput & { readonly id: string | null }) {
  return inProject(input, (project) =>
    withRunLock(project, 'rollback', async () => {
      const chosen = await chooseCheckpoint(project, input.id);
      return chosen.ok ? restoreCheckpoint(project, chosen.entry.id) : chosen;
    }),
  );
}

async function chooseCheckpoint(project: Project, id: string | null) {
  const all = await project.git.checkpoints();
  const named = taskWorkFailure(project, id ?? '');
  if (named !== null) return named;
  const wanted = id ?? all.find(({ kept }) => !kept)?.id;
  if (wanted !== undefined) return findCheckpoint(all, wanted, project.store.state);
  return failure('There is no checkpoint yet: each iteration of a run begins with one.', 'ralph run');
}
