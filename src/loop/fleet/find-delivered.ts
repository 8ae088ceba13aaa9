import { counted } from 'ralph-kit/counted';
import { GitError } from '../../domain/ports.ts';
import type { LoopContext, Refusal } from '../context.ts';

/**
 * Finds deliveries of workers that this machine lacks: of attempts whose end wasn't seen, and of tasks whose verified
 * result only another machine kept. These tasks are reopened, and their next attempts take the results.
 * @returns what you have to do first; `null`: nothing
 */
export async function findDelivered({ ports, remoteWorkers }: LoopContext): Promise<Refusal | null> {
  if (remoteWorkers === null) return null;
  const { store, line } = ports;
  const { tasks } = store.state;
  const kept = new Set((await line.current())?.results.map(({ taskId }) => taskId));
  const expected = new Map(
    Object.entries(tasks).flatMap(([id, { doneBy, cutOff }]): [string, readonly number[]][] => {
      if (doneBy === null) return cutOff.length === 0 ? [] : [[id, cutOff]];
      return doneBy.kind === 'verdict' ? [[id, [doneBy.iteration, ...cutOff]]] : [];
    }),
  );
  if (expected.size === 0) return null;
  try {
    const delivered = await remoteWorkers.delivered([...expected.keys()]);
    const found = [...delivered].filter(([id, { iteration }]) => expected.get(id)?.includes(iteration));
    // A run that was killed between landing and push didn't mark the delivery as landed. The next push does.
    for (const [id, { result }] of found) if (kept.has(id)) remoteWorkers.keep(id, result);
    const missing = found.filter(([id]) => !kept.has(id));
    const unknown = new Set(missing.flatMap(([, one]) => (one.unknown === null ? [] : [one.unknown])));
    if (unknown.size > 0) {
      const commands = [...unknown].map((key) => `ralph fleet enrol ${key}`).join(' && ');
      const results = counted(missing.length, 'result');
      const message = `${results} on ${remoteWorkers.remote} can't be taken before you enrol the machines that made them.`;
      return { message, next: commands };
    }
    const lost = missing.filter(([id]) => tasks[id]?.doneBy != null);
    if (lost.length === 0) return null;
    const reopened = lost.map(([taskId, { iteration }]) => ({ taskId, iteration }));
    const reason = `verified on another machine and not landed; what workers delivered is taken from ${remoteWorkers.remote} and checked here`;
    store.commit(() => [{ type: 'tasks_reopened', tasks: reopened, reason }]);
    return null;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const message = `${remoteWorkers.remote} can't be asked what workers delivered: ${error.message}`;
    return { message, next: 'ralph fleet doctor' };
  }
}
