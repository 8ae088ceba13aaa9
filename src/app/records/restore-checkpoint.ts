import { type CheckpointEntry, StoreError } from '../../domain/ports.ts';
import { isSameWorkplace, type State, taskStateOf, workplaceStateOf } from '../../domain/records/state.ts';
import { takeCommand } from '../../domain/work-place.ts';
import { systemIds } from '../../io/ids.ts';
import { firstFew, pathText } from '../../lib/text.ts';
import { rollBack } from '../../loop/index.ts';
import { failure, success } from '../result.ts';
import type { Project } from '../setup/project.ts';
import { shownId } from './kept-work.ts';

export type RollbackData = {
  readonly checkpoint: string;
  /** How many paths of the copy changed; `paths` names them. */
  readonly changed: number;
  /** The task whose work the copy held, which is kept; `null`: there was none. */
  readonly task: string | null;
  readonly reopened: readonly string[];
  /** Tasks whose work was on your branch, each with the commit that reverts it. */
  readonly reverted: readonly { readonly task: string; readonly commit: string | null }[];
  readonly paths: readonly string[];
  readonly warnings?: readonly string[];
};

/**
 * Goes back to a checkpoint: the copy holds again what it held then, tasks that were done since are open again, and what landed of them is
 * reverted by a commit. The caller holds the lock of the run.
 */
export async function restoreCheckpoint(project: Project, checkpoint: string) {
  const { git, store, tracker, workplace, line } = project;
  const all = await git.checkpoints();
  const entry = all.find(({ id }) => id === checkpoint);
  if (entry === undefined) return failure(`There is no checkpoint ${checkpoint}.`, 'ralph checkpoints');
  if (entry.kept) {
    const shown = shownId(entry, all);
    const message = `${shown} isn't the start of an attempt, so there is no way back to it.`;
    return failure(message, shown === checkpoint ? `ralph checkpoints diff ${shown}` : takeCommand(shown));
  }
  store.refresh();
  const reopened = doneAfter(store.state, entry);
  const back = await line.revert(reopened);
  if (back.kind === 'waits') {
    const { reason, paths } = back.waiting;
    const named = paths.length === 0 ? '' : ` (${firstFew(paths.map(pathText))})`;
    return failure(`Nothing was changed: ${reason}${named}.`, 'git status');
  }
  const reverted = back.results.map(({ taskId, commit }) => ({ task: taskId, commit }));
  const copy = await rollBackCopy(project, entry, reopened);
  const nothing = copy === null && reopened.length === 0;
  if (nothing)
    return success<RollbackData>({
      ...{ checkpoint, changed: 0, task: null, reopened: [], reverted: [], paths: [] },
    });
  if (copy === null) {
    const { leftTree } = workplaceStateOf(store.state, workplace);
    store.commit(() => [
      {
        type: 'rollback_finished',
        ...{ ...workplace, checkpoint, tree: leftTree ?? entry.tree, taskId: null, paths: [] },
        ...{ reopened: [...reopened], feedback: [], throttle: null, baseline: null },
      },
    ]);
  }
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
  const { paths = [], taskId: task = null } = copy ?? {};
  return success<RollbackData>({
    ...{ checkpoint, changed: paths.length, task },
    ...{ reopened, reverted, paths, warnings },
  });
}

/** The copy as it was at a checkpoint, or without work where that lies before the series of its task. `null`: no work is in it. */
async function rollBackCopy(
  { store, git, work, workplace }: Project,
  { id, tree }: CheckpointEntry,
  reopened: readonly string[],
) {
  const base = work.base();
  const taskId = base?.taskId ?? null;
  const series = taskId === null ? null : taskStateOf(store.state, taskId).series;
  // The series of its task may have moved to another worker's copy, which isn't the one to go back.
  if (base === null || taskId === null || series === null || !isSameWorkplace(series, workplace)) return null;
  const isOfSeries = workplaceStateOf(store.state, workplace).checkpoints.some((one) => one.id === id);
  const target = isOfSeries ? { tree, taskId } : { tree: base.tree, taskId: null };
  const ports = { store, git, work, ids: systemIds() };
  return rollBack({ ports, workplace }, { checkpoint: id, ...target }, reopened);
}

/** Tasks that became done after a checkpoint was made: also of an attempt that another worker had begun before. */
export function doneAfter(
  { tasks }: Pick<State, 'tasks'>,
  { id, at }: Pick<CheckpointEntry, 'id' | 'at'>,
): readonly string[] {
  const number = Number(id.split('/').at(-1));
  // Checkpoints have whole seconds: what ended within that one ended before.
  const end = Date.parse(at) + 1000;
  return Object.entries(tasks).flatMap(([taskId, { doneBy }]) => {
    if (doneBy === null) return [];
    const after =
      doneBy.kind === 'verdict' ? doneBy.iteration >= number || Date.parse(doneBy.at) >= end : doneBy.at > at;
    return after ? [taskId] : [];
  });
}
