import { type ModelUsage, tokensOf } from './event.ts';

/** Adds two reports by model; an unreported cost adds nothing. */
export function addUsage(a: readonly ModelUsage[], b: readonly ModelUsage[]): readonly ModelUsage[] {
  const sums = new Map(a.map((one) => [one.model, one]));
  for (const one of b) {
    const known = sums.get(one.model);
    if (known === undefined) sums.set(one.model, one);
    else {
      const sum = combined(known, one, (all, more) => all + more);
      sums.set(one.model, known.costUsd === null ? { ...sum, costUsd: one.costUsd } : sum);
    }
  }
  return [...sums.values()];
}

/** Returns usage in which no count is negative: a report can't reduce earlier counts. */
export function notBelowZero(usage: ModelUsage): ModelUsage {
  return without(usage, costAlone({ model: null, costUsd: 0 }));
}

export function costAlone({ model, costUsd }: Pick<ModelUsage, 'model' | 'costUsd'>): ModelUsage {
  return { model, inputTokens: 0, outputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, costUsd };
}

/** Returns the new part of a cumulative report. @param before Earlier usage of the session. */
export function usageSince(all: readonly ModelUsage[], before: readonly ModelUsage[]): readonly ModelUsage[] {
  // Less than before means that the agent began a new session.
  if (tokensOf(all) < tokensOf(before)) return all;
  const rest = all.map((one) => {
    const known = before.filter(({ model }) => model === one.model);
    // An agent that reports one sum doesn't separate models.
    const earlier = known.length === 0 && all.length === 1 ? before : known;
    return earlier.reduce(without, one);
  });
  return rest.filter((one) => tokensOf([one]) > 0 || (one.costUsd ?? 0) > 0);
}

function without(all: ModelUsage, part: ModelUsage): ModelUsage {
  return combined(all, part, (one, other) => Math.max(0, one - other));
}

/** Combines each count; an unreported cost in `a` stays unknown. */
function combined(a: ModelUsage, b: ModelUsage, count: (a: number, b: number) => number): ModelUsage {
  return {
    model: a.model,
    inputTokens: count(a.inputTokens, b.inputTokens),
    outputTokens: count(a.outputTokens, b.outputTokens),
    cachedTokens: count(a.cachedTokens, b.cachedTokens),
    cacheWriteTokens: count(a.cacheWriteTokens, b.cacheWriteTokens),
    costUsd: a.costUsd === null ? null : count(a.costUsd, b.costUsd ?? 0),
  };
}
