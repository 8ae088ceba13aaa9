import type { AutoUnblock, StrategyFacts, Suggestion, Unblocking } from '../../domain/records/blocked.ts';
import { suggestStrategy } from '../../tell/index.ts';

/** Returns the unblocking by a suggestion; `null`: you have to do something first, or another agent is needed. */
export function unblockingOf(
  facts: StrategyFacts,
  suggestion: Suggestion,
  agent: string | null,
): Unblocking | null {
  const { strategy, reason, first, timeoutSeconds, guidance } = suggestion;
  const needsAnother = suggestion.agent !== null && suggestion.agent !== agent;
  if (first !== null || needsAnother) return null;
  return { taskId: facts.taskId, strategy, reason, timeoutSeconds, guidance };
}

/**
 * Returns the tasks to unblock automatically. Only more time is tried, at most `limit` times until a task is done,
 * because prompts already have all other advice.
 */
export function planAutoUnblock({ limit, candidates }: Omit<AutoUnblock, 'unblocked'>): Unblocking[] {
  return candidates.flatMap(({ automatic, facts }) => {
    if (automatic >= limit) return [];
    const suggestion = suggestStrategy(facts);
    if (suggestion.strategy !== 'increase_timeout') return [];
    return unblockingOf(facts, suggestion, null) ?? [];
  });
}
