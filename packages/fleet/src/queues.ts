import type { WorkerReport } from '../index.d.ts';

type Asked = { readonly agent: string; readonly labels: readonly string[] };

/** Returns the name of the queue for jobs of one agent, which has one account, and one set of labels. */
export function queueName({ agent, labels }: Asked): string {
  return [agent, ...new Set(labels.toSorted())].map(encodeURIComponent).join(' ');
}

export function askedBy(name: string): Asked {
  const [agent = '', ...labels] = name.split(' ').map(decodeURIComponent);
  return { agent, labels };
}

export function servesQueue(
  name: string,
  has: { readonly agents: readonly string[]; readonly labels: readonly string[] },
): boolean {
  const { agent, labels } = askedBy(name);
  return has.agents.includes(agent) && labels.every((label) => has.labels.includes(label));
}

type Now = {
  readonly held: boolean;
  readonly paused: boolean;
  readonly workers: readonly Pick<WorkerReport, 'agents' | 'labels' | 'state'>[];
};

/**
 * Why jobs of a queue wait. `held`: its account is at its limit. `no_worker`: no worker has its agent and its labels.
 * `busy`: all that have them are at work. `starting`: one of them is idle, so a job starts soon.
 */
export type WhyWaiting = 'paused' | 'held' | 'no_worker' | 'busy' | 'starting';

/** Returns why jobs of a queue wait. */
export function whyWaiting(queue: string, { held, paused, workers }: Now): WhyWaiting {
  if (paused) return 'paused';
  if (held) return 'held';
  const able = workers.filter((worker) => worker.state !== 'draining' && servesQueue(queue, worker));
  if (able.length === 0) return 'no_worker';
  return able.some(({ state }) => state === 'idle') ? 'starting' : 'busy';
}
