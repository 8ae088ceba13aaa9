import type { SetAside } from '../../domain/change-set.ts';
import { pathsBetween } from '../../domain/paths-between.ts';
import { GitError, type ResultId } from '../../domain/ports.ts';
import type { LoopContext } from '../context.ts';
import { setAsideOf } from './keep-work.ts';

type Ports = Pick<LoopContext['ports'], 'store' | 'line' | 'git' | 'ids'>;

/** Reopens a task and keeps its result's work for `ralph take`. If git can't keep the work, a warning says so. */
export async function reopenTask(ports: Ports, result: ResultId, reason: string): Promise<void> {
  const { taskId } = result;
  const { store } = ports;
  let work: { readonly setAside?: SetAside } = {};
  try {
    work = await workOf(ports, result);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const message = `The work of ${taskId} could not be set aside as the task was opened again: ${error.message}`;
    store.commit([{ type: 'warned', message }]);
  }
  store.commit(() => [{ type: 'tasks_reopened', tasks: [{ taskId, iteration: null }], reason, ...work }]);
}

/** Keeps a result's work. Returns `{}` if git no longer has the result. */
async function workOf(
  { line, git, ids }: Ports,
  result: ResultId,
): Promise<{ readonly setAside?: SetAside }> {
  const change = await line.changeOf(result);
  if (change === null) return {};
  const paths = await pathsBetween(git, change.base, change.tree);
  const { setAside } = await setAsideOf({ git, ids }, result.taskId, { ...change, paths: [...paths] });
  return { setAside };
}
