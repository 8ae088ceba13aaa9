import { pathsOf } from '../../domain/change-set.ts';
import type { ResultId } from '../../domain/ports.ts';
import type { LoopContext } from '../context.ts';
import { setAsideOf } from './keep-work.ts';

/** Opens a task again whose result can't be on your branch, and keeps what that changed: `ralph take` gets it. */
export async function reopenTask(
  { store, line, git, ids }: Pick<LoopContext['ports'], 'store' | 'line' | 'git' | 'ids'>,
  result: ResultId,
  reason: string,
): Promise<void> {
  const { taskId } = result;
  const change = await line.changeOf(result);
  const snapshot = { head: null, branch: null };
  const kept =
    change === null
      ? null
      : await setAsideOf({ git, ids }, taskId, {
          ...change,
          paths: pathsOf(
            await git.diff({ ...snapshot, tree: change.base }, { ...snapshot, tree: change.tree }),
          ),
        });
  const work = kept === null ? {} : { setAside: kept.setAside };
  store.commit(() => [{ type: 'tasks_reopened', tasks: [{ taskId, iteration: null }], reason, ...work }]);
}
