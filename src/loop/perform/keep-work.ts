import { pathsOf, type SetAside } from '../../domain/change-set.ts';
import type { JournalBodyOf } from '../../domain/records/journal.ts';
import { taskStateOf, type Workplace, workplaceStateOf } from '../../domain/records/state.ts';
import type { LoopContext } from '../context.ts';

type Place = {
  readonly ports: Pick<LoopContext['ports'], 'store' | 'git' | 'work'>;
  readonly workplace: Workplace;
};

/** What the attempts at a task changed, as two trees: without it and with it. */
export type SeriesWork = Pick<SetAside, 'base' | 'tree' | 'paths'> & { readonly workplace: Workplace };

/**
 * What the attempts of a task's series changed so far, as its copy holds it, or as the copy was left. Nothing was changed where
 * both trees are the same. `null`: the task has no series.
 *
 * @throws GitError where git doesn't hold the trees any more.
 */
export async function seriesWork(
  { ports: { store, git, work: ownWork }, workplace: own }: Place,
  taskId: string,
): Promise<SeriesWork | null> {
  const { series } = taskStateOf(store.state, taskId);
  if (series === null) return null;
  // The copy of another worker may hold it.
  const { worker, worktree } = series;
  const work = worktree === own.worktree ? git.work(worker) : ownWork;
  const { leftTree, openIteration, checkpoints } = workplaceStateOf(store.state, { worker, worktree });
  const isHere = work.base()?.taskId === taskId;
  const tree = isHere ? (await work.git.snapshot()).tree : (leftTree ?? series.tree);
  // What an attempt wrote that was cut off is on no record yet.
  const isOpen = openIteration?.taskId === taskId;
  const cutOff = isOpen ? checkpoints.find((one) => one.iteration === openIteration.iteration) : undefined;
  const snapshot = { head: null, branch: null };
  const paths =
    cutOff === undefined
      ? series.work
      : pathsOf(await git.diff({ ...snapshot, tree: cutOff.tree }, { ...snapshot, tree }));
  const all = [...new Set([...series.work, ...paths])];
  const base = await git.compose({ base: tree, from: series.tree, paths: all });
  return { base, tree, paths: all, workplace: { worker, worktree } };
}

/**
 * Keeps what the attempts at a task changed, as its series is over undone, its copy is needed, or a rollback replaces it: as a
 * checkpoint, and as a patch in the folder of the iteration and outside of the repository. Nothing of it is in your checkout.
 *
 * @param why `moved`: the task continues at once, on something else.
 * @param rollback What replaces it.
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
  // A first attempt that was cut off is none of the task's, and its work is worth as much.
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
  store.keepPatch(last.run, last.iteration, patch);
  store.commit(() => [
    { type: 'work_set_aside', ...workplace, taskId, why, rollback, setAside, leftTree: tree },
  ]);
  return 'kept';
}

/** Keeps a tree that holds the work of a task until you drop it; what is on record of that, and the work as a patch. */
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
