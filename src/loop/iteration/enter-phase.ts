import type { EnteredPhase } from '../../domain/records/state.ts';
import type { LoopContext } from '../context.ts';

/** What follows after the agent is on record, so that you see it in another terminal. */
export async function enterPhase(
  { ports: { store }, workplace }: Pick<LoopContext, 'ports' | 'workplace'>,
  iteration: number,
  entered: EnteredPhase,
): Promise<void> {
  await store.unlocked();
  store.commit(() => [{ type: 'phase_entered', ...workplace, iteration, ...entered }]);
}
