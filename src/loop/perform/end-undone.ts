import { hasEndedUndone, taskStateOf } from '../../domain/records/state.ts';
import type { LoopContext } from '../context.ts';
import { keepWork } from './keep-work.ts';

/**
 * Keeps the work of a task that ended undone. `ralph diff` shows the work, and the task's next attempt starts with it.
 */
export async function endUndone(context: LoopContext, taskId: string): Promise<void> {
  if (hasEndedUndone(taskStateOf(context.ports.store.state, taskId)))
    await keepWork(context, taskId, 'ended');
}
