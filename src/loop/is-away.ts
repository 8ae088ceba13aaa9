import type { Away } from '../domain/fleet.ts';
import type { TaskState } from '../domain/records/state.ts';
import type { LoopContext } from './context.ts';

/** Whether an attempt is made by a worker of the fleet. Where each action waits for you, or is restricted, it is made where you are. */
export function isAway<C extends LoopContext>(
  context: C,
  taskState: Pick<TaskState, 'restriction' | 'decisions'>,
): context is C & { readonly away: Away } {
  return context.away !== null && taskState.restriction === null && taskState.decisions.manual === null;
}
