import fc from 'fast-check';
import type { ModelUsage } from 'ralph-agents/event';
import { describe, expect, it } from 'vitest';
import {
  askedBy,
  costOfLost,
  limitedAccounts,
  nextOfJob,
  queueName,
  servesQueue,
  whyWaiting,
} from '../../../src/decide/index.ts';
import { type Cost, NO_COST } from '../../../src/domain/policy.ts';
import type { JobState, RemoteAttemptState } from '../../../src/domain/ports/fleet.ts';
import type { Unavailable } from '../../../src/domain/service.ts';

const offered: RemoteAttemptState = { kind: 'offered', job: 'J' };
const claimed: RemoteAttemptState = { kind: 'claimed', job: 'J', claim: 'C', worker: 'w', lost: [] };
const delivered: RemoteAttemptState = { kind: 'delivered', job: 'J', claim: 'C', result: 'R', lost: [] };

describe('what follows for an attempt that was offered', () => {
  const table: readonly [RemoteAttemptState, JobState, boolean, ReturnType<typeof nextOfJob>][] = [
    [offered, 'waiting', false, 'wait'],
    [offered, 'active', false, 'wait'],
    [offered, 'gone', false, 'queue'],
    [offered, 'away', false, 'wait'],
    [claimed, 'active', false, 'wait'],
    [claimed, 'away', false, 'wait'],
    // The engine was wiped, or the worker is lost and its job wasn't taken over.
    [claimed, 'gone', false, 'queue'],
    [delivered, 'active', false, 'take'],
    [delivered, 'gone', true, 'take'],
    [offered, 'waiting', true, 'cancelled'],
    [claimed, 'gone', true, 'cancelled'],
    // A worker at an attempt still reports what it used.
    [claimed, 'active', true, 'wait'],
    [{ kind: 'none' }, 'active', false, 'superseded'],
    [{ kind: 'offered', job: 'other' }, 'waiting', false, 'superseded'],
    [{ ...delivered, job: 'other' }, 'gone', false, 'superseded'],
  ];
  it.each(table)('%o, %s, cancelled %s: %s', (current, state, isCancelled, next) => {
    expect(nextOfJob({ job: 'J', current, state, isCancelled, isLimited: false })).toBe(next);
  });

  const limited: readonly [RemoteAttemptState, JobState, ReturnType<typeof nextOfJob>][] = [
    [offered, 'waiting', 'limited'],
    // A worker has it from the engine and hasn't claimed it: the remote decides who is faster.
    [offered, 'active', 'limited'],
    [offered, 'gone', 'limited'],
    [offered, 'away', 'limited'],
    // The worker gave the job back before its agent started.
    [claimed, 'waiting', 'limited'],
    [claimed, 'gone', 'limited'],
    // A worker that began before the limit was met may finish.
    [claimed, 'active', 'wait'],
    [claimed, 'away', 'wait'],
    [delivered, 'gone', 'take'],
  ];
  it.each(limited)('%o, %s, its account at a limit: %s', (current, state, next) => {
    expect(nextOfJob({ job: 'J', current, state, isCancelled: false, isLimited: true })).toBe(next);
  });

  it('never waits for what no worker has, and queues nothing that is delivered', () => {
    const anyNow = fc.constantFrom(offered, claimed, delivered);
    const anyState = fc.constantFrom<JobState>('waiting', 'active', 'gone', 'away');
    fc.assert(
      fc.property(anyNow, anyState, fc.boolean(), fc.boolean(), (current, state, isCancelled, isLimited) => {
        const next = nextOfJob({ job: 'J', current, state, isCancelled, isLimited });
        if (state === 'gone') expect(next).not.toBe('wait');
        if (current.kind === 'delivered') expect(next).toBe('take');
      }),
    );
  });
});

describe('accounts at a limit', () => {
  const now = '2030-01-01T00:00:00.000Z';
  const at = (seconds: number) => new Date(Date.parse(now) + seconds * 1000).toISOString();
  const unavailable = { message: 'm', since: now, tries: 1, resetKnown: true };
  const table: readonly [Partial<Unavailable> | null, number][] = [
    [null, 0],
    [{ kind: 'throttled', until: at(5) }, 5000],
    [{ kind: 'rate_limited', until: at(7200) }, 7_200_000],
    [{ kind: 'rate_limited', until: at(-1) }, 0],
    // These causes lie in this machine alone, or in the service.
    [{ kind: 'auth', until: at(30) }, 0],
    [{ kind: 'outage', until: at(30) }, 0],
    [{ kind: 'spawn_failed', until: null }, 0],
  ];
  it.each(table)('%o: %i ms', (known, ms) => {
    const agent = {
      ...{ name: 'a', suspended: null },
      unavailable: known === null ? null : ({ ...unavailable, ...known } as Unavailable),
    };
    expect([...limitedAccounts([agent], now)]).toEqual([['a', ms]]);
  });

  it("whose end isn't known are used by no worker", () => {
    const given = { ...unavailable, kind: 'rate_limited' as const, until: null, resetKnown: false };
    const agent = { name: 'a', suspended: null, unavailable: given };
    expect(limitedAccounts([agent], now).get('a')).toBeGreaterThan(0);
  });
});

describe('the cost of an attempt that a worker lost', () => {
  const usage: ModelUsage[] = [
    {
      ...{ model: 'm', inputTokens: 300, outputTokens: 100, cachedTokens: 0, cacheWriteTokens: 0 },
      costUsd: 0.4,
    },
  ];
  const reserved = { usd: 1, tokens: 1000, iterations: 1, ms: 60_000 };
  const policy = {
    tasks: {},
    levels: { medium: { tasks: 2, cost: { usd: 6, tokens: 90, iterations: 3, ms: 9 } } },
  };
  const unknown = { tasks: {}, levels: {} };
  const none = { ...NO_COST, iterations: 1 };
  const table: readonly [string, Parameters<typeof costOfLost>[0], Partial<Cost>][] = [
    ['its record', { usage, reserved, prices: {}, policy }, { usd: 0.4, tokens: 400 }],
    ['a record of nothing', { usage: [], reserved, prices: {}, policy }, {}],
    ['what was reserved', { usage: null, reserved, prices: {}, policy }, { usd: 1, tokens: 1000 }],
    ['the mean', { usage: null, reserved: none, prices: {}, policy }, { usd: 2, tokens: 30 }],
    ['nothing known', { usage: null, reserved: none, prices: {}, policy: unknown }, {}],
  ];
  it.each(table)('is %s', (_, lost, cost) => {
    expect(costOfLost(lost)).toEqual({ ...NO_COST, ...cost });
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
