import { pathsOf, type SetAside } from '../../domain/change-set.ts';
import type { ResultId } from '../../domain/ports.ts';
import type { LoopContext } from '../context.ts';

/** Opens a task again whose result can't be on your branch, and keeps what that changed: `ralph take` gets it. */
export async function reopenTask(
  { store, line, git, ids }: Pick<LoopContext['ports'], 'store' | 'line' | 'git' | 'ids'>,
  result: ResultId,
  reason: string,
): Promise<void> {
  const { taskId } = result;
  const change = await line.changeOf(result);
  const setAside = change === null ? undefined : await setAsideOf({ git, ids }, taskId, change);
  store.commit(() => [
    { type: 'task_reopened', taskIds: [taskId], reason, ...(setAside === undefined ? {} : { setAside }) },
  ]);
}

/** Keeps a tree that holds the work of a task, and says what that is. @param trees Without the work and with it. */
export async function setAsideOf(
  { git, ids }: Pick<LoopContext['ports'], 'git' | 'ids'>,
  taskId: string,
  { base, tree }: Pick<SetAside, 'base' | 'tree'>,
): Promise<SetAside> {
  const checkpoint = await git.keep(tree, `work of ${taskId}`);
  const snapshot = { head: null, branch: null };
  const paths = pathsOf(await git.diff({ ...snapshot, tree: base }, { ...snapshot, tree }));
  return { checkpoint, base, tree, paths, sha256: ids.sha256(await git.wholePatch(base, tree)) };
}
