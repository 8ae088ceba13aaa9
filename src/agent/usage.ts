import type { Usage } from '../domain/agent.ts';

/**
 * The sum of two reports. `inputTokens` counts all input, what came from a cache included; `cachedTokens` is that
 * part of it. A cost that isn't reported adds nothing.
 */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    costUsd: a.costUsd === null ? b.costUsd : a.costUsd + (b.costUsd ?? 0),
  };
}
