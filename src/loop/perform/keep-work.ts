import type { SetAside } from '../../domain/change-set.ts';
import { pathsBetween } from '../../domain/paths-between.ts';
import type { JournalBodyOf } from '../../domain/records/journal.ts';
import { taskStateOf, type Workplace, workplaceStateOf } from '../../domain/records/state.ts';
import type { LoopContext } from '../context.ts';

type Place = {
  readonly ports: Pick<LoopContext['ports'], 'store' | 'git' | 'work'>;
  readonly workplace: Workplace;
};

/** Work of a task's attempts: `base` is the tree without it, `tree` the tree with it. */
export type SeriesWork = Pick<SetAside, 'base' | 'tree' | 'paths'> & { readonly workplace: Workplace };

/**
 * Returns the work of the task's series; `null`: there is no series. Both trees are equal if nothing was changed.
 * @throws GitError if git no longer has the trees
 */
export async function seriesWork(
  { ports: { store, git, work: ownWork }, workplace: own }: Place,
  taskId: string,
): Promise<SeriesWork | null> {
  const { series } = taskStateOf(store.state, taskId);
  if (series === null) return null;
  const { worker, worktree } = series;
  const work = worktree === own.worktree ? git.work(worker) : ownWork;
  const { leftTree, openIteration, checkpoints } = workplaceStateOf(store.state, { worker, worktree });
  const isHere = work.base()?.taskId === taskId;
  const tree = isHere ? (await work.git.snapshot()).tree : (leftTree ?? series.tree);
  // The record doesn't name files that a cut-off attempt changed.
  const isOpen = openIteration?.taskId === taskId;
  const cutOff = isOpen ? checkpoints.find((one) => one.iteration === openIteration.iteration) : undefined;
  const paths = cutOff === undefined ? series.work : await pathsBetween(git, cutOff.tree, tree);
  const all = [...new Set([...series.work, ...paths])];
  const base = await git.compose({ base: tree, from: series.tree, paths: all });
  return { base, tree, paths: all, workplace: { worker, worktree } };
}

/**
 * Keeps the work as a checkpoint, and as patches in the iteration's folder and outside of the repository. Your checkout
 * isn't changed.
 * @param why `moved`: the task continues on another base
 * @param rollback The rollback that replaces the work; `null`: none
 */
export async function keepWork(
  place: Place & { readonly ports: Pick<LoopContext['ports'], 'ids'> },
  taskId: string,
  why: JournalBodyOf<'work_set_aside'>['why'],
  rollback: JournalBodyOf<'work_set_aside'>['rollback'] = null,
): Promise<'kept' | 'nothing'> {
  const { store, git, ids } = place.ports;
  const work = await seriesWork(place, taskId);
  if (work === null) return 'nothing';
  const { base, tree, paths, workplace } = work;
  // A first attempt that was cut off isn't among the task's attempts, but its work is kept, too.
  const { checkpoints } = workplaceStateOf(store.state, workplace);
  const begun = checkpoints.findLast((one) => one.taskId === taskId);
  const cutOff = begun && { run: begun.id.split('/')[0] ?? '', iteration: begun.iteration };
  const last = taskStateOf(store.state, taskId).attempts.at(-1) ?? cutOff;
  if (last === undefined) return 'nothing';
  if (base === tree) {
    const nothing = { setAside: null, leftTree: tree, why, rollback };
    if (why !== 'replaced')
      store.commit(() => [{ type: 'work_set_aside', ...workplace, taskId, ...nothing }]);
    return 'nothing';
  }
  const { setAside, patch } = await setAsideOf({ git, ids }, taskId, { base, tree, paths });
  store.keepPatch(last.run, last.iteration, setAside.checkpoint, patch);
  store.commit(() => [
    { type: 'work_set_aside', ...workplace, taskId, why, rollback, setAside, leftTree: tree },
  ]);
  return 'kept';
}

/** Keeps a tree with a task's work in git until you drop it; returns what is kept, and its patch. */
export async function setAsideOf(
  { git, ids }: Pick<LoopContext['ports'], 'git' | 'ids'>,
  taskId: string,
  work: Pick<SetAside, 'base' | 'tree' | 'paths'>,
): Promise<{ readonly setAside: SetAside; readonly patch: Buffer }> {
  const checkpoint = await git.keep(work.tree, `work of ${taskId}`);
  const patch = await git.wholePatch(work.base, work.tree);
  const { base, tree, paths } = work;
  return { setAside: { checkpoint, base, tree, paths, sha256: ids.sha256(patch) }, patch };
}
