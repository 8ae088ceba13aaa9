import type { AgentProfile } from '../domain/records/state.ts';

/** A threshold of `[interventions]` that an agent exceeded over its newest iterations. */
type ExceededThreshold = {
  readonly which: 'no_files' | 'false_completion';
  readonly count: number;
  readonly threshold: number;
  /** Iterations that count. */
  readonly window: number;
};

const SAID: Readonly<Record<ExceededThreshold['which'], (fact: ExceededThreshold) => string>> = {
  no_files: ({ count, window }) => `In ${count} of your last ${window} iterations you wrote NO FILES.`,
  false_completion: ({ count, window }) =>
    `In ${count} of your last ${window} iterations you claimed a completion that was FALSE.`,
};

/**
 * The aggressive reinforcement for an agent over a threshold (spec 1-loop, Profile and circuit breaker), to stand
 * before all feedback; empty when none was exceeded.
 *
 * @param hasWork Earlier attempts at the task left work.
 */
export function reinforcement(
  profile: AgentProfile,
  exceeded: readonly ExceededThreshold[],
  hasWork: boolean,
): string {
  if (exceeded.length === 0) return '';
  const first = hasWork
    ? 'Read the files that earlier attempts changed before you change more.'
    : 'Your FIRST action is a call of your write or edit tool on a file of this task.';
  return `**STOP AND READ**: ${exceeded.map((fact) => SAID[fact.which](fact)).join(' ')} (${profile.agentId}) ${first} Before you end, compare \`git diff --stat\` with what you are about to claim.`;
}
