import { PROFILE_WINDOW } from '../domain/records/profile.ts';
import type { AgentProfile } from '../domain/records/state.ts';

export type ThresholdSettings = {
  readonly thresholdNoFiles: number;
  readonly thresholdFalseCompletion: number;
  readonly aggressiveMode: boolean;
  readonly interventionsEnabled: boolean;
};

type ThresholdFact = {
  readonly which: 'no_files' | 'false_completion';
  readonly count: number;
  readonly threshold: number;
  /** Iterations looked at: up to `PROFILE_WINDOW`. */
  readonly window: number;
  /** The newest iteration is one of those counted: the moment for an event, not its echo. */
  readonly current: boolean;
};

type ThresholdCheck = {
  readonly exceeded: readonly ThresholdFact[];
  /** Why the agent is to be suspended for manual review; `null` when it is not. */
  readonly suspend: string | null;
};

/**
 * Whether an agent is over its thresholds in its newest iterations, the current one included. It is suspended only
 * where `aggressive_mode` asks for it, and only by an iteration that itself adds to the count: an agent that you
 * reinstated is not suspended again for what is past.
 */
export function checkThresholds(profile: AgentProfile, settings: ThresholdSettings): ThresholdCheck {
  if (!settings.interventionsEnabled) return { exceeded: [], suspend: null };
  const window = profile.window.slice(-PROFILE_WINDOW);
  const facts: readonly ThresholdFact[] = [
    factOf(
      'no_files',
      window.map(({ noFiles }) => noFiles),
      settings.thresholdNoFiles,
    ),
    factOf(
      'false_completion',
      window.map(({ falseCompletion }) => falseCompletion),
      settings.thresholdFalseCompletion,
    ),
  ];
  const exceeded = facts.filter(({ count, threshold }) => count >= threshold);
  const grave = exceeded.filter(({ current }) => current);
  const suspend = settings.aggressiveMode && grave.length > 0 ? reasonFor(profile.agentId, grave) : null;
  return { exceeded, suspend };
}

function factOf(which: ThresholdFact['which'], hits: readonly boolean[], threshold: number): ThresholdFact {
  return {
    which,
    count: hits.filter((hit) => hit).length,
    threshold,
    window: hits.length,
    current: hits.at(-1) === true,
  };
}

const SAID: Readonly<Record<ThresholdFact['which'], string>> = {
  no_files: 'wrote no files',
  false_completion: 'claimed a false completion',
};

function reasonFor(agent: string, facts: readonly ThresholdFact[]): string {
  const said = facts.map(
    ({ which, count, window, threshold }) =>
      `${SAID[which]} in ${count} of its last ${window} iterations (threshold ${threshold})`,
  );
  return `${agent} ${said.join(' and ')}`;
}
