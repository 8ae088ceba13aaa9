import { shortageOf, shortageText } from '../decide/index.ts';
import type { LoopContext, Progress } from './context.ts';
import type { Crew } from './crew.ts';

/** Whether another attempt has to wait until one of those at work has ended. What it lacks is said once in a run. */
export async function checkRoom(
  { ports, turns, workers }: LoopContext,
  { crew }: { readonly crew: Pick<Crew, 'working'> },
  { took: { count, agentMs, gatesMs }, shortages }: Pick<Progress, 'took' | 'shortages'>,
): Promise<{ readonly isShort: boolean } & Pick<Progress, 'shortages'>> {
  const used = crew.working().length;
  // One is never too many.
  if (used === 0) return { isShort: false, shortages };
  const waiting = turns.waiting().filter(({ lands }) => lands).length;
  const pace = count === 0 ? null : { agentMs: agentMs / count, gatesMs: gatesMs / count };
  const room = { ...(await ports.room()), queue: { waiting, pace } };
  const which = shortageOf(room);
  if (which === null) return { isShort: false, shortages };
  if (shortages.has(which)) return { isShort: true, shortages };
  const message = shortageText(which, room, { used, asked: workers.length });
  ports.store.commit([{ type: 'warned', message }]);
  return { isShort: true, shortages: new Set([...shortages, which]) };
}
