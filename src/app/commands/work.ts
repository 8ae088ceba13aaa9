import { existsSync } from 'node:fs';
import { EXIT } from '../../domain/exit.ts';
import type { Work } from '../../domain/ports.ts';
import { type DataOf, failure, success } from '../result.ts';
import { inProject, type Project } from '../setup/project.ts';
import { withRunLock } from '../setup/run-lock.ts';
import { type ProjectInput, runLockHolder } from '../setup/workspace.ts';

export type WorkInput = ProjectInput & {
  readonly action: 'path' | 'clean';
  /** Task whose work must be in the copy; `null`: the work of any task. */
  readonly task: string | null;
};
export type WorkResult = DataOf<typeof work>;

function copyWith({ git, workplace, store }: Project, task: string | null): Work {
  const numbers = store.state.workplaces
    .filter(({ worktree }) => worktree === workplace.worktree)
    .map(({ worker }) => worker)
    .toSorted((one, other) => one - other);
  const copies = numbers.map((worker) => git.work(worker));
  return copies.find((copy) => task !== null && copy.base()?.taskId === task) ?? git.work(workplace.worker);
}

export function work({ action, task, ...input }: WorkInput) {
  return inProject(input, async (project) => {
    const { git } = project;
    if (action === 'clean')
      return withRunLock(project, 'work clean', async () => success({ cleaned: await git.removeCopies() }));
    const copy = copyWith(project, task);
    const base = copy.base();
    const { files } = copy.mounted;
    if (base === null || !existsSync(files))
      return failure('There is no copy yet: the first attempt makes it.', 'ralph run', EXIT.unexpected);
    if (task !== null && base.taskId !== task) {
      const holds = base.taskId === null ? 'no work of a task' : `the work at ${base.taskId}`;
      return failure(`The copy holds ${holds}, not that at ${task}.`, `ralph diff ${task}`, EXIT.unexpected);
    }
    return success({ path: files, task: base.taskId, at_work: runLockHolder(project) !== null });
  });
}
