import type { WHY_WAITING } from '../../domain/fleet.ts';
import type { WorkerReport } from '../../domain/ports/fleet.ts';
import { servesQueue } from './queues.ts';

type Now = {
  readonly held: boolean;
  readonly paused: boolean;
  readonly workers: readonly Pick<WorkerReport, 'agents' | 'labels' | 'state'>[];
};

/** Returns why jobs of a queue wait. `starting`: a suitable worker is idle, so a job starts soon. */
export function whyWaiting(queue: string, { held, paused, workers }: Now): keyof typeof WHY_WAITING {
  if (paused) return 'paused';
  if (held) return 'held';
  const able = workers.filter((worker) => worker.state !== 'draining' && servesQueue(queue, worker));
  if (able.length === 0) return 'no_worker';
  return able.some(({ state }) => state === 'idle') ? 'starting' : 'busy';
}
