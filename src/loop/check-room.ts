import { shortageOf, shortageText } from '../decide/index.ts';
import type { LoopContext, Progress } from './context.ts';
import type { Crew } from './crew.ts';

/**
 * Returns whether the next attempt has to wait until a running one ends, for lack of disk, memory or gate time. Each
 * lack is reported once per run.
 */
export async function checkRoom(
  { ports, turns, workers }: LoopContext,
  { crew }: { readonly crew: Pick<Crew, 'working'> },
  { took: { count, agentMs, gatesMs }, shortages }: Pick<Progress, 'took' | 'shortages'>,
): Promise<{ readonly isShort: boolean } & Pick<Progress, 'shortages'>> {
  const used = crew.working().length;
  // One worker may always start, even if there is little room.
  if (used === 0) return { isShort: false, shortages };
  const waiting = turns.waiting().filter(({ lands }) => lands).length;
  const pace = count === 0 ? null : { agentMs: agentMs / count, gatesMs: gatesMs / count };
  const room = { ...(await ports.room()), queue: { waiting, pace } };
  const which = shortageOf(room);
  if (which === null) return { isShort: false, shortages };
  if (shortages.has(which)) return { isShort: true, shortages };
  const message = shortageText(which, room, { used, requested: workers.length });
  ports.store.commit([{ type: 'warned', message }]);
  return { isShort: true, shortages: new Set([...shortages, which]) };
}
