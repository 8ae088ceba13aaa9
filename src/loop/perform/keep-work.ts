import type { SetAside } from '../../domain/change-set.ts';
import { taskStateOf, workplaceStateOf } from '../../domain/records/state.ts';
import type { LoopContext } from '../context.ts';

/**
 * Keeps what the attempts at a task changed, as its series is over undone or its copy is needed: as a checkpoint, and as a patch
 * in the folder of the iteration and outside of the repository. Nothing of it is in your checkout.
 *
 * @param why `moved`: the task continues at once, on something else.
 */
export async function keepWork(
  { ports, workplace: own }: Pick<LoopContext, 'ports' | 'workplace'>,
  taskId: string,
  why: 'ended' | 'moved',
): Promise<void> {
  const { store, git, ids } = ports;
  const { series, attempts } = taskStateOf(store.state, taskId);
  if (series === null) return;
  // The copy of another worker may hold it.
  const isOfThisTree = series.worktree === own.worktree;
  const workplace = isOfThisTree ? { worker: series.worker, worktree: series.worktree } : own;
  const work = isOfThisTree ? git.work(series.worker) : ports.work;
  const { leftTree, checkpoints } = workplaceStateOf(store.state, workplace);
  // A first attempt that was cut off is none of the task's, and its work is worth as much.
  const begun = checkpoints.findLast((one) => one.taskId === taskId);
  const cutOff = begun && { run: begun.id.split('/')[0] ?? '', iteration: begun.iteration };
  const last = attempts.at(-1) ?? cutOff;
  if (last === undefined) return;
  const isHere = work.base()?.taskId === taskId;
  const tree = isHere ? (await work.git.snapshot()).tree : (leftTree ?? series.tree);
  const base = await git.compose({ base: tree, from: series.tree, paths: series.work });
  if (base === tree) {
    store.commit(() => [
      { type: 'work_set_aside', ...workplace, taskId, setAside: null, leftTree: tree, why },
    ]);
    return;
  }
  const checkpoint = await git.keep(tree, `the work at ${taskId}, which ended undone`);
  const bytes = await git.wholePatch(base, tree);
  store.keepPatch(last.run, last.iteration, bytes);
  const setAside: SetAside = { checkpoint, base, tree, paths: series.work, sha256: ids.sha256(bytes) };
  store.commit(() => [{ type: 'work_set_aside', ...workplace, taskId, setAside, leftTree: tree, why }]);
}
