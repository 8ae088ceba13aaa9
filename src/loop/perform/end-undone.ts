import type { Protected } from '../../domain/ports.ts';
import type { RunStop } from '../../domain/records/run-record.ts';
import { hasEndedUndone, taskStateOf } from '../../domain/records/state.ts';
import { own } from '../../lib/own.ts';
import { quotedNames } from '../../lib/text.ts';
import type { LoopContext } from '../context.ts';
import { proveTree } from './prove-tree.ts';
import { setAsideWork } from './set-aside.ts';

export type EndedUndone = {
  /** The work tree as it is now; `null`: it wasn't touched. */
  readonly tree: string | null;
  readonly stop: RunStop | null;
};

const UNTOUCHED: EndedUndone = { tree: null, stop: null };

/**
 * Where a task's series ended undone: what it changed goes out of the tree and that is proven (`[loop] on_failure`), or stays
 * where you want that, as long as no gate fails by it.
 *
 * @param folder Absolute, of the iteration.
 */
export async function endUndone(
  context: LoopContext,
  taskId: string,
  folder: string,
  follow: Protected['follow'],
): Promise<EndedUndone> {
  const { ports, config } = context;
  const task = taskStateOf(ports.store.state, taskId);
  if (task.series === null || !hasEndedUndone(task)) return UNTOUCHED;
  if (config.loop.on_failure === 'keep') {
    const message = redBy(context, taskId);
    return { tree: null, stop: message === null ? null : { kind: 'red_tree', message } };
  }
  const ended = await setAsideWork(context, taskId, follow);
  if (ended.kind === 'failed') return { tree: null, stop: { kind: 'problem', message: ended.message } };
  if (ended.kind === 'nothing') return UNTOUCHED;
  const message = await proveTree(context, { taskId, work: task.series.work, folder });
  const { tree } = await ports.git.snapshot();
  return { tree, stop: message === null ? null : { kind: 'red_tree', message } };
}

/** Why the tree is red by the work of a task that stays in it; `null`: it isn't. */
function redBy({ ports: { store } }: LoopContext, taskId: string): string | null {
  const { attempts } = taskStateOf(store.state, taskId);
  const failed = attempts.findLast(({ filesChanged }) => filesChanged > 0)?.failedGates ?? [];
  const outcomes = store.state.baseline?.outcomes ?? {};
  const red = failed.filter((name) => own(outcomes, name)?.kind === 'passed');
  if (red.length === 0) return null;
  return `The work at ${taskId} stays in the tree ([loop] on_failure = "keep"), and gate ${quotedNames(red)} fails by it: other tasks would be blamed for that.`;
}
