import type { EnteredPhase } from '../../domain/records/state.ts';
import type { LoopContext } from '../context.ts';

export async function enterPhase(
  { ports: { store }, workplace }: Pick<LoopContext, 'ports' | 'workplace'>,
  iteration: number,
  entered: EnteredPhase,
): Promise<void> {
  await store.unlocked();
  store.commit(() => [{ type: 'phase_entered', ...workplace, iteration, ...entered }]);
}
