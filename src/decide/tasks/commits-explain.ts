import { AGENT_TIPS_KEPT } from '../../domain/records/marks.ts';
import type { State } from '../../domain/records/state.ts';

/**
 * Whether commits may explain marks now: no attempt is open, the last run ended in order, and it is known what was there
 * then and what agents made. A run that is at work is the caller's to know.
 */
export function commitsMayExplain({ heads, workplaces, runs }: State): boolean {
  const { known, agents } = heads;
  if (known === null || agents.length >= AGENT_TIPS_KEPT) return false;
  if (workplaces.some(({ openIteration }) => openIteration !== null)) return false;
  return runs.at(-1)?.endedAt != null;
}
