import type { AgentAdapter, AgentSession, Usage } from '../../domain/agent.ts';
import type { TaskState } from '../../domain/records/state.ts';

/**
 * The session that the next attempt continues (`[loop] resume`): that of the attempt before, of the same agent. A
 * session that broke down isn't continued.
 */
export function sessionToResume(taskState: TaskState, agent: string): AgentSession | null {
  const last = taskState.attempts.at(-1);
  if (last === undefined || last.agent !== agent || last.verdict === 'agent_error') return null;
  return last.session;
}

/** The part of an agent's reported usage that belongs to this attempt. */
export function shareOf(
  reported: Usage | null,
  resumed: AgentSession | null,
  { cumulativeUsage }: Pick<AgentAdapter, 'cumulativeUsage'>,
): Usage | null {
  const before = resumed?.usage ?? null;
  if (reported === null || before === null || cumulativeUsage !== true) return reported;
  const { inputTokens, outputTokens, cachedTokens, costUsd } = reported;
  // Less than before: the agent has begun a new session after all.
  if (inputTokens < before.inputTokens || outputTokens < before.outputTokens) return reported;
  return {
    inputTokens: inputTokens - before.inputTokens,
    outputTokens: outputTokens - before.outputTokens,
    cachedTokens: Math.max(0, cachedTokens - before.cachedTokens),
    costUsd: costUsd === null ? null : Math.max(0, costUsd - (before.costUsd ?? 0)),
  };
}
