import type { InterventionSettings } from '../../domain/config.ts';
import { PROFILE_WINDOW } from '../../domain/records/profile.ts';
import type { AgentProfile } from '../../domain/records/state.ts';

/** What is counted in the newest iterations: where it is noted, its limit, and how it is said. */
const COUNTED = {
  no_files: { flag: 'noFiles', limit: 'threshold_no_files', said: 'wrote no files' },
  false_completion: {
    flag: 'falseCompletion',
    limit: 'threshold_false_completion',
    said: 'claimed a false completion',
  },
} as const;
const NAMES = ['no_files', 'false_completion'] as const;

export type ThresholdSettings = Pick<
  InterventionSettings,
  'enabled' | 'aggressive_mode' | (typeof COUNTED)[keyof typeof COUNTED]['limit']
>;

type ThresholdFact = {
  readonly which: keyof typeof COUNTED;
  readonly count: number;
  readonly threshold: number;
  /** Iterations that count: up to `PROFILE_WINDOW`. */
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
  if (!settings.enabled) return { exceeded: [], suspend: null };
  const window = profile.window.slice(-PROFILE_WINDOW);
  const facts = NAMES.map((which): ThresholdFact => {
    const { flag, limit } = COUNTED[which];
    const count = window.filter((one) => one[flag]).length;
    const current = window.at(-1)?.[flag] === true;
    return { which, count, threshold: settings[limit], window: window.length, current };
  });
  const exceeded = facts.filter(({ count, threshold }) => count >= threshold);
  const grave = exceeded.filter(({ current }) => current);
  const suspend = settings.aggressive_mode && grave.length > 0 ? reasonFor(profile.agentId, grave) : null;
  return { exceeded, suspend };
}

function reasonFor(agent: string, facts: readonly ThresholdFact[]): string {
  const said = facts.map(
    ({ which, count, window, threshold }) =>
      `${COUNTED[which].said} in ${count} of its last ${window} iterations (threshold ${threshold})`,
  );
  return `${agent} ${said.join(' and ')}`;
}
