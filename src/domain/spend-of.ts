import type { ModelUsage } from 'ralph-agents/event';
import { own } from 'ralph-kit/own';
import type { Price, Spend } from './spend.ts';

type Prices = Readonly<Record<string, Price>>;

/**
 * Returns usage with costs. If the agent reports no cost, or 0 because it doesn't know its price, your prices count.
 */
export function spendOf(usage: readonly ModelUsage[], prices: Prices): Spend[] {
  return usage.map((one) => {
    const price = one.costUsd === null || one.costUsd === 0 ? priceOf(one.model, prices) : null;
    return price === null
      ? { ...one, estimated: false }
      : { ...one, costUsd: estimate(one, price), estimated: true };
  });
}

/** Returns the price of a model by its name, which may lack the provider or the release date; `null`: you gave none. */
export function priceOf(model: string | null, prices: Prices): Price | null {
  if (model === null) return null;
  const bare = model.slice(model.lastIndexOf('/') + 1);
  const names = [model, bare].flatMap((name) => [name, name.replace(/[-@](\d{8}|\d{4}-\d{2}-\d{2})$/, '')]);
  return names.map((name) => own(prices, name)).find((price) => price !== undefined) ?? null;
}

const MILLION = 1_000_000;

function estimate(usage: ModelUsage, { input, output, cache_read, cache_write }: Price): number {
  const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens } = usage;
  const fresh = Math.max(0, inputTokens - cachedTokens - cacheWriteTokens);
  const money =
    fresh * input +
    cachedTokens * (cache_read ?? input) +
    cacheWriteTokens * (cache_write ?? input) +
    outputTokens * output;
  return money / MILLION;
}
