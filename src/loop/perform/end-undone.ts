import { hasEndedUndone, taskStateOf } from '../../domain/records/state.ts';
import type { LoopContext } from '../context.ts';
import { keepWork } from './keep-work.ts';

/** Where a task's series ended undone, what it changed is kept: `ralph diff` shows it, and the task begins with it when it continues. */
export async function endUndone(context: LoopContext, taskId: string): Promise<void> {
  if (hasEndedUndone(taskStateOf(context.ports.store.state, taskId)))
    await keepWork(context, taskId, 'ended');
}
