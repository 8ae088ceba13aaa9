import type { WHY_WAITING } from '../../domain/fleet.ts';
import type { WorkerReport } from '../../domain/ports/fleet.ts';
import { servesQueue } from './queues.ts';

type Now = {
  /** The account of its agent is at its limit. */
  readonly held: boolean;
  /** You paused the fleet. */
  readonly paused: boolean;
  readonly workers: readonly Pick<WorkerReport, 'agents' | 'labels' | 'state'>[];
};

/** Why jobs of a queue wait; `starting`: a worker that may take them has no other one. */
export function whyWaiting(queue: string, { held, paused, workers }: Now): keyof typeof WHY_WAITING {
  if (paused) return 'paused';
  if (held) return 'held';
  const able = workers.filter((worker) => worker.state !== 'draining' && servesQueue(queue, worker));
  if (able.length === 0) return 'no_worker';
  return able.some(({ state }) => state === 'idle') ? 'starting' : 'busy';
}
