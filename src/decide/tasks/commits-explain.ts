import type { State } from '../../domain/records/state.ts';

/**
 * Whether commits may explain marks now: no attempt is open, the last run ended in order, and it is known what was there
 * then. A run that is at work is the caller's to know.
 */
export function commitsMayExplain({ heads, workplaces, runs }: State): boolean {
  if (heads.known === null) return false;
  if (workplaces.some(({ openIteration }) => openIteration !== null)) return false;
  return runs.at(-1)?.endedAt != null;
}
