import type { InterventionSettings } from '../../domain/config.ts';
import { PROFILE_WINDOW } from '../../domain/records/profile.ts';
import type { AgentProfile } from '../../domain/records/state.ts';

const COUNTED = [
  { which: 'no_files', flag: 'noFiles', limit: 'threshold_no_files', words: 'wrote no files' },
  {
    which: 'false_completion',
    flag: 'falseCompletion',
    limit: 'threshold_false_completion',
    words: 'claimed a false completion',
  },
] as const;

type ThresholdSettings = Pick<
  InterventionSettings,
  'enabled' | 'aggressive_mode' | (typeof COUNTED)[number]['limit']
>;

type ThresholdFact = {
  readonly which: (typeof COUNTED)[number]['which'];
  readonly count: number;
  readonly threshold: number;
  /** Number of newest iterations that are checked, at most `PROFILE_WINDOW`. */
  readonly window: number;
  /** Whether the newest iteration is among those counted, so that an event is recorded only once. */
  readonly current: boolean;
};

/**
 * Checks an agent's thresholds. `suspend`: why the agent is suspended for manual review; `null`: it isn't. Only
 * `aggressive_mode` suspends, and only if the current iteration adds to a count, so that past iterations don't suspend
 * a reinstated agent again.
 */
export function checkThresholds(
  profile: AgentProfile,
  settings: ThresholdSettings,
): { readonly exceeded: readonly ThresholdFact[]; readonly suspend: string | null } {
  if (!settings.enabled) return { exceeded: [], suspend: null };
  const window = profile.window.slice(-PROFILE_WINDOW);
  const facts = COUNTED.map(({ which, flag, limit, words }) => {
    const count = window.filter((one) => one[flag]).length;
    const current = window.at(-1)?.[flag] === true;
    return { words, fact: { which, count, threshold: settings[limit], window: window.length, current } };
  });
  const exceeded = facts.filter(({ fact }) => fact.count >= fact.threshold);
  const reasons = exceeded
    .filter(({ fact }) => fact.current)
    .map(
      ({ words, fact: { count, threshold } }) =>
        `${words} in ${count} of its last ${window.length} iterations (threshold ${threshold})`,
    );
  const suspend = settings.aggressive_mode && reasons.length > 0;
  return {
    exceeded: exceeded.map(({ fact }) => fact),
    suspend: suspend ? `${profile.agentId} ${reasons.join(' and ')}` : null,
  };
}
