import type { ModelUsage } from 'ralph-agents/event';
import { describe, expect, it } from 'vitest';
import { spendOf } from '../../../src/domain/spend-of.ts';

const usage = (more: Partial<ModelUsage> = {}): ModelUsage => ({
  ...{ model: 'm', inputTokens: 1_000_000, outputTokens: 100_000, cachedTokens: 0, cacheWriteTokens: 0 },
  costUsd: null,
  ...more,
});
const PRICES = {
  m: { input: 2, output: 10 },
  cached: { input: 2, output: 10, cache_read: 0.2, cache_write: 2.5 },
};
const costs = (given: ModelUsage, prices = PRICES) => {
  const [spend] = spendOf([given], prices);
  return [spend?.costUsd, spend?.estimated];
};

describe('the money of an attempt', () => {
  it.each<[string, ModelUsage, [number | null, boolean]]>([
    ['is by the price of its model', usage(), [3, true]],
    ['is what the agent reports', usage({ costUsd: 7 }), [7, false]],
    ['is by the price where an agent reports none for its tokens', usage({ costUsd: 0 }), [3, true]],
    ['is not known without a price', usage({ model: 'other' }), [null, false]],
    ['is not known without a model', usage({ model: null }), [null, false]],
    ['is 0 where that is reported and no price is known', usage({ model: 'other', costUsd: 0 }), [0, false]],
    ['is found without the provider', usage({ model: 'openai/m' }), [3, true]],
    ['is found without the date', usage({ model: 'm-20260131' }), [3, true]],
    ['is found without both', usage({ model: 'openai/m-2026-01-31' }), [3, true]],
    ["isn't another model's", usage({ model: 'm-mini' }), [null, false]],
    [
      'counts what came from a cache and went to one once, at its own price',
      usage({ model: 'cached', cachedTokens: 500_000, cacheWriteTokens: 100_000 }),
      [0.8 + 0.1 + 0.25 + 1, true],
    ],
    ['takes the price of input where a cache has none', usage({ cachedTokens: 500_000 }), [3, true]],
    [
      'is never less than that of its parts',
      usage({ model: 'cached', cachedTokens: 2_000_000 }),
      [1.4, true],
    ],
  ])('%s', (_, given, [cost, estimated]) => {
    const [seen, by] = costs(given);
    expect(by).toBe(estimated);
    if (cost === null) expect(seen).toBeNull();
    else expect(seen).toBeCloseTo(cost, 9);
  });

  it('knows no price by a name that every object has', () => {
    expect(costs(usage({ model: 'constructor' }))).toEqual([null, false]);
  });
});
