import { type ModelUsage, tokensOf } from '../domain/agent.ts';

/** The usage of two reports by model; a cost that isn't reported adds nothing. */
export function addUsage(a: readonly ModelUsage[], b: readonly ModelUsage[]): readonly ModelUsage[] {
  const sums = new Map(a.map((one) => [one.model, one]));
  for (const one of b) {
    const known = sums.get(one.model);
    sums.set(one.model, known === undefined ? one : sumOf(known, one));
  }
  return [...sums.values()];
}

/** A report can't take back what others counted. */
export function notBelowZero(usage: ModelUsage): ModelUsage {
  const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens, costUsd } = usage;
  return {
    model: usage.model,
    inputTokens: Math.max(0, inputTokens),
    outputTokens: Math.max(0, outputTokens),
    cachedTokens: Math.max(0, cachedTokens),
    cacheWriteTokens: Math.max(0, cacheWriteTokens),
    costUsd: costUsd === null ? null : Math.max(0, costUsd),
  };
}

export function costAlone({ model, costUsd }: ModelUsage): ModelUsage {
  return { model, inputTokens: 0, outputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, costUsd };
}

function sumOf(a: ModelUsage, b: ModelUsage): ModelUsage {
  return {
    model: a.model,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    costUsd: a.costUsd === null ? b.costUsd : a.costUsd + (b.costUsd ?? 0),
  };
}

/**
 * The part of a cumulative report that is new.
 *
 * @param before what the session had used earlier.
 */
export function usageSince(all: readonly ModelUsage[], before: readonly ModelUsage[]): readonly ModelUsage[] {
  // Less than before: the agent has begun a new session after all.
  if (tokensOf(all) < tokensOf(before)) return all;
  const rest = all.map((one) => {
    const known = before.filter(({ model }) => model === one.model);
    // An agent that reports one sum doesn't say which part of it was another model's.
    const earlier = known.length === 0 && all.length === 1 ? before : known;
    return earlier.reduce(without, one);
  });
  return rest.filter((one) => tokensOf([one]) > 0 || (one.costUsd ?? 0) > 0);
}

function without(all: ModelUsage, part: ModelUsage): ModelUsage {
  const less = (one: number, other: number) => Math.max(0, one - other);
  return {
    model: all.model,
    inputTokens: less(all.inputTokens, part.inputTokens),
    outputTokens: less(all.outputTokens, part.outputTokens),
    cachedTokens: less(all.cachedTokens, part.cachedTokens),
    cacheWriteTokens: less(all.cacheWriteTokens, part.cacheWriteTokens),
    costUsd: all.costUsd === null ? null : less(all.costUsd, part.costUsd ?? 0),
  };
}
