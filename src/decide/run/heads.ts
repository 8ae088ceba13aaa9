import type { RefsNow } from '../../domain/ports.ts';
import type { State } from '../../domain/records/state.ts';

/** Commits at refs that an attempt made or moved. What was there before, under whatever name, it didn't make. */
export function agentTips(before: RefsNow, after: RefsNow): string[] {
  const known = new Set([before.head, ...before.refs.values()]);
  const tips = new Set([...after.refs.values(), ...(after.head === null ? [] : [after.head])]);
  return [...tips].filter((tip) => !known.has(tip));
}

/** What a run records at its start. Where records are lost, any ref that is there may be an agent's. */
export function headsAtStart(
  { head, refs }: RefsNow,
  { heads, imports }: Pick<State, 'heads' | 'imports'>,
): { readonly head: string | null; readonly agentTips: string[] } {
  const lost = heads.known === null && !imports;
  return { head, agentTips: lost ? [...new Set(refs.values())] : [] };
}
