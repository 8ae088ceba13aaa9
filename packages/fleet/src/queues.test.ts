import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askedBy, queueName, servesQueue, whyWaiting } from './queues.ts';

describe('queues', () => {
  const label = fc.string({ minLength: 1, maxLength: 6 });

  it('are one for each agent and set of labels, whatever is in the names', () => {
    fc.assert(
      fc.property(label, fc.array(label), (agent, labels) => {
        const name = queueName({ agent, labels });
        expect(name).not.toContain(':');
        expect(askedBy(name).agent).toBe(agent);
        expect(new Set(askedBy(name).labels)).toEqual(new Set(labels));
        expect(queueName({ agent, labels: labels.toReversed() })).toBe(name);
        expect(servesQueue(name, { agents: [agent], labels })).toBe(true);
        expect(servesQueue(name, { agents: [], labels })).toBe(false);
      }),
    );
  });

  it('are served by who has all of their labels', () => {
    const name = queueName({ agent: 'claude', labels: ['gpu', 'linux'] });
    expect(name).toBe('claude gpu linux');
    expect(servesQueue(name, { agents: ['codex', 'claude'], labels: ['linux', 'gpu', 'big'] })).toBe(true);
    expect(servesQueue(name, { agents: ['claude'], labels: ['gpu'] })).toBe(false);
  });
});

describe('why an attempt waits', () => {
  const worker = (state: 'idle' | 'working' | 'draining', labels: string[] = [], agents = ['mine']) => ({
    ...{ state, labels, agents },
  });
  const [queue, gpu] = ['mine', queueName({ agent: 'mine', labels: ['gpu'] })];
  const now = { held: false, paused: false, workers: [worker('working')] };
  it.each([
    [queue, now, 'busy'],
    [queue, { ...now, paused: true, held: true }, 'paused'],
    [queue, { ...now, held: true }, 'held'],
    [queue, { ...now, workers: [] }, 'no_worker'],
    [queue, { ...now, workers: [worker('idle', [], ['other'])] }, 'no_worker'],
    [gpu, { ...now, workers: [worker('idle')] }, 'no_worker'],
    [gpu, { ...now, workers: [worker('working', ['gpu']), worker('idle')] }, 'busy'],
    [queue, { ...now, workers: [worker('draining')] }, 'no_worker'],
    [queue, { ...now, workers: [worker('working'), worker('idle')] }, 'starting'],
  ] as const)('%s, %o: %s', (name, seen, why) => {
    expect(whyWaiting(name, seen)).toBe(why);
  });
});
