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
 */
export function reinforcement(profile: AgentProfile, exceeded: readonly ExceededThreshold[]): string {
  if (exceeded.length === 0) return '';
  return `**STOP AND READ**: ${exceeded.map((fact) => SAID[fact.which](fact)).join(' ')} (${profile.agentId}, ${profile.totalIterations} iterations in all.) This must not happen again.

1. Your FIRST action in this iteration is a call of your write or edit tool on a file of this task. Explain nothing before it.
2. After each change, read the file back and make sure that the change is on disk.
3. Before you end, run \`git status\` and \`git diff --stat\`. When they show no change by you, you have done nothing: go back to step 1.
4. Do not set the exit signal to true, and do not say DONE, unless the files, the gates and every acceptance criterion bear it out. IN_PROGRESS with real files is better than a false claim.`;
}
