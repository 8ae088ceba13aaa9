import { pathsOf } from '../../domain/change-set.ts';
import type { ResultId } from '../../domain/ports.ts';
import { keptText, takeCommand } from '../../domain/work-place.ts';
import type { LoopContext } from '../context.ts';
import { setAsideOf } from './keep-work.ts';

/**
 * Opens a task again whose result can't be on your branch, and keeps what that changed.
 *
 * @returns where its work is, as a further sentence; empty: nothing is known of it.
 */
export async function reopenTask(
  { store, line, git, ids }: Pick<LoopContext['ports'], 'store' | 'line' | 'git' | 'ids'>,
  result: ResultId,
  reason: string,
): Promise<string> {
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
  store.commit(() => [{ type: 'task_reopened', taskIds: [taskId], reason, ...work }]);
  return kept === null ? '' : ` ${keptText(takeCommand(taskId))}`;
}
