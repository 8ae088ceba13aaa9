import type { AutoUnblock, StrategyFacts, Suggestion, Unblocking } from '../../domain/records/blocked.ts';
import { suggestStrategy } from './suggest-strategy.ts';

/** How ralph can unblock a task automatically, with this agent; `null` where you have to do something first. */
export function unblockingOf(
  facts: StrategyFacts,
  suggestion: Suggestion,
  agent: string | null,
): Unblocking | null {
  const { strategy, reason, first, timeoutSeconds, guidance } = suggestion;
  if (first !== null) return null;
  if (suggestion.agent !== null && suggestion.agent !== agent) return null;
  return { taskId: facts.taskId, strategy, reason, timeoutSeconds, guidance };
}

/**
 * Which blocked tasks the loop unblocks automatically: those that need nothing but more time, each at most `limit`
 * times until it is done. What the other strategies would add to the prompt, it has got after each attempt.
 */
export function planAutoUnblock({ limit, candidates }: Omit<AutoUnblock, 'unblocked'>): Unblocking[] {
  return candidates.flatMap(({ automatic, facts }) => {
    if (automatic >= limit) return [];
    const suggestion = suggestStrategy(facts);
    if (suggestion.strategy !== 'increase_timeout') return [];
    return unblockingOf(facts, suggestion, null) ?? [];
  });
}
