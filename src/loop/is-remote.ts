import type { RemoteWorkers } from '../domain/fleet.ts';
import type { TaskState } from '../domain/records/state.ts';
import type { LoopContext } from './context.ts';

/**
 * Returns whether a worker of the fleet makes the attempt. Attempts with restrictions, or that need your approvals, are
 * made on this machine.
 */
export function isRemote<C extends LoopContext>(
  context: C,
  taskState: Pick<TaskState, 'restriction' | 'decisions'>,
): context is C & { readonly remoteWorkers: RemoteWorkers } {
  return (
    context.remoteWorkers !== null && taskState.restriction === null && taskState.decisions.manual === null
  );
}
