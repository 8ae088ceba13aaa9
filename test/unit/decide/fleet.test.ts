import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askedBy, nextOfJob, queueName, servesQueue } from '../../../src/decide/index.ts';
import type { AwayNow, JobState } from '../../../src/domain/ports/fleet.ts';

const offered: AwayNow = { kind: 'offered', job: 'J' };
const claimed: AwayNow = { kind: 'claimed', job: 'J', claim: 'C', worker: 'w' };
const delivered: AwayNow = { kind: 'delivered', job: 'J', claim: 'C', result: 'R' };

describe('what follows for an attempt that was offered', () => {
  const table: readonly [AwayNow, JobState, boolean, ReturnType<typeof nextOfJob>][] = [
    [offered, 'waiting', false, 'wait'],
    [offered, 'active', false, 'wait'],
    [offered, 'gone', false, 'queue'],
    [offered, 'away', false, 'wait'],
    [claimed, 'active', false, 'wait'],
    [claimed, 'away', false, 'wait'],
    // The engine was wiped, or the worker is lost and nobody took its job.
    [claimed, 'gone', false, 'queue'],
    [delivered, 'active', false, 'take'],
    [delivered, 'gone', true, 'take'],
    [offered, 'waiting', true, 'cancelled'],
    [claimed, 'gone', true, 'cancelled'],
    // Who works at it still says what it used.
    [claimed, 'active', true, 'wait'],
    [{ kind: 'none' }, 'active', false, 'superseded'],
    [{ kind: 'offered', job: 'other' }, 'waiting', false, 'superseded'],
    [{ ...delivered, job: 'other' }, 'gone', false, 'superseded'],
  ];
  it.each(table)('%o, %s, cancelled %s: %s', (now, state, isCancelled, next) => {
    expect(nextOfJob({ job: 'J', now, state, isCancelled })).toBe(next);
  });

  it('never waits for what nobody has, and queues nothing that is delivered', () => {
    const anyNow = fc.constantFrom(offered, claimed, delivered);
    const anyState = fc.constantFrom<JobState>('waiting', 'active', 'gone', 'away');
    fc.assert(
      fc.property(anyNow, anyState, fc.boolean(), (now, state, isCancelled) => {
        const next = nextOfJob({ job: 'J', now, state, isCancelled });
        if (state === 'gone') expect(next).not.toBe('wait');
        if (now.kind === 'delivered') expect(next).toBe('take');
      }),
    );
  });
});

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
