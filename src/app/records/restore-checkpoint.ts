import { firstFew, pathText } from 'ralph-kit/text';
import type { CheckpointEntry } from '../../domain/ports.ts';
import { isSameWorkplace, type State, taskStateOf, workplaceStateOf } from '../../domain/records/state.ts';
import { takeCommand } from '../../domain/work-place.ts';
import { systemIds } from '../../io/ids.ts';
import { rollBack, showStatus } from '../../loop/index.ts';
import { failure, success } from '../result.ts';
import type { Project } from '../setup/project.ts';
import { shownId } from './kept-work.ts';

export type RollbackData = {
  readonly checkpoint: string;
  /** Number of changed paths in the copy. `paths` has their names. */
  readonly changed: number;
  /** Task whose work in the copy was saved; `null`: there was none. */
  readonly task: string | null;
  readonly reopened: readonly string[];
  /** Tasks whose work was on your branch, each with the commit that reverts it. */
  readonly reverted: readonly { readonly task: string; readonly commit: string | null }[];
  readonly paths: readonly string[];
  readonly warnings?: readonly string[];
};

/**
 * Restores a copy to a checkpoint, reopens tasks that were done since, and reverts their landed work by a commit. The
 * caller holds the run lock.
 */
export async function restoreCheckpoint(project: Project, checkpoint: string) {
  const { git, store, workplace, line } = project;
  const all = await git.checkpoints();
  const entry = all.find(({ id }) => id === checkpoint);
  if (entry === undefined) return failure(`There is no checkpoint ${checkpoint}.`, 'ralph checkpoints');
  if (entry.kept) {
    const shown = shownId(entry, all, store.state);
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
      checkpoint,
      changed: 0,
      task: null,
      reopened: [],
      reverted: [],
      paths: [],
    });
  if (copy === null) {
    const { leftTree } = workplaceStateOf(store.state, workplace);
    store.commit(() => [
      {
        type: 'rollback_finished',
        ...workplace,
        checkpoint,
        tree: leftTree ?? entry.tree,
        taskId: null,
        paths: [],
        reopened: [...reopened],
        feedback: [],
        throttle: null,
        baseline: null,
      },
    ]);
  }
  const warnings = await showStatus(project, reopened, 'open');
  store.writeViews();
  const { paths = [], taskId: task = null } = copy ?? {};
  return success<RollbackData>({
    checkpoint,
    changed: paths.length,
    task,
    reopened,
    reverted,
    paths,
    warnings,
  });
}

/**
 * Rolls the copy back; if the checkpoint is older than the task's series, removes all of the task's work. Returns
 * `null` if there is no work.
 */
async function rollBackCopy(
  { store, git, work, workplace }: Project,
  { id, tree }: CheckpointEntry,
  reopened: readonly string[],
) {
  const base = work.base();
  const taskId = base?.taskId ?? null;
  const series = taskId === null ? null : taskStateOf(store.state, taskId).series;
  // If the task's series continued in another worker's copy, that copy stays unchanged.
  if (base === null || taskId === null || series === null || !isSameWorkplace(series, workplace)) return null;
  const isOfSeries = workplaceStateOf(store.state, workplace).checkpoints.some((one) => one.id === id);
  const target = isOfSeries ? { tree, taskId } : { tree: base.tree, taskId: null };
  const ports = { store, git, work, ids: systemIds() };
  return rollBack({ ports, workplace }, { checkpoint: id, ...target }, reopened);
}

/** Returns tasks that were done after a checkpoint, even if other workers had begun the attempts before it. */
export function doneAfter(
  { tasks }: Pick<State, 'tasks'>,
  { id, at }: Pick<CheckpointEntry, 'id' | 'at'>,
): readonly string[] {
  const number = Number(id.split('/').at(-1));
  // Checkpoints have times in whole seconds. An attempt that ended in the same second counts as earlier.
  const end = Date.parse(at) + 1000;
  return Object.entries(tasks).flatMap(([taskId, { doneBy }]) => {
    if (doneBy === null) return [];
    const after =
      doneBy.kind === 'verdict' ? doneBy.iteration >= number || Date.parse(doneBy.at) >= end : doneBy.at > at;
    return after ? [taskId] : [];
  });
}
