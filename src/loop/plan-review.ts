import type { AgentAdapter } from '../domain/agent.ts';
import type { ReviewSetup } from './context.ts';
import type { PlannedReview } from './review-session.ts';

/**
 * How the actions of an agent are to be reviewed in its next attempt.
 *
 * @param lost why its gate is known not to hold, from an attempt before; `null`: nothing speaks against it.
 */
export function planReview(
  adapter: Pick<AgentAdapter, 'name' | 'output' | 'gate'>,
  setup: ReviewSetup | null,
  lost: string | null,
): PlannedReview {
  if (setup === null) return { mode: 'off', why: '[review] enabled = false' };
  if (adapter.gate !== null && lost === null) return { mode: 'gate', contract: adapter.gate };
  if (adapter.gate === null && adapter.output === 'text') {
    return { mode: 'off', why: `${adapter.name} prints plain text, which does not tell what it does` };
  }
  return { mode: 'detect', why: lost ?? `there is no way to make ${adapter.name} ask before it acts` };
}

/** Why an agent may not start: a gate is required and there is none. `null` when it may. */
export function gateProblem(agent: string, review: PlannedReview, setup: ReviewSetup | null): string | null {
  if (setup?.requireGate !== true || review.mode === 'gate') return null;
  return (
    `${agent} is not started: its actions cannot be stopped before they happen (${review.why}), ` +
    'and [review] require_gate = true asks for that. Take another agent, or set require_gate = false.'
  );
}
