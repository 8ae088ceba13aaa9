import type { ModelUsage } from 'ralph-agents/event';
import { describe, expect, it } from 'vitest';
import { costOfLost, limitedAccounts } from '../../../src/decide/index.ts';
import { type Cost, NO_COST } from '../../../src/domain/policy.ts';
import type { Unavailable } from '../../../src/domain/service.ts';

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
