import { RULE_SETS } from 'ralph-kit/actions/task-review';
import { positive, ratio, section, strings } from 'ralph-kit/settings-section';
import * as z from 'zod/mini';

/** Thresholds of risk levels (docs/STEP_REVIEW.md). */
export const RiskSettings = section({
  /** Has no effect of its own, as risk below `medium_threshold` is low; the other thresholds end low, medium and high. */
  low_threshold: z._default(ratio, 0.3),
  medium_threshold: z._default(ratio, 0.6),
  high_threshold: z._default(ratio, 0.8),
  critical_threshold: z._default(ratio, 0.95),
});
export type RiskSettings = z.infer<typeof RiskSettings>;

/** Thresholds of rationality levels (docs/STEP_REVIEW.md). */
export const RationalitySettings = section({
  high_threshold: z._default(ratio, 0.8),
  medium_threshold: z._default(ratio, 0.5),
  /** Rationality below this is listed as an issue. */
  low_threshold: z._default(ratio, 0.3),
});
export type RationalitySettings = z.infer<typeof RationalitySettings>;

export const RuleSettings = section({
  builtin: z._default(z.enum(RULE_SETS), 'all'),
  disabled: z._default(strings, []),
  custom_rules_path: z._default(z.string(), ''),
});

export const ReviewSettings = section({
  enabled: z._default(z.boolean(), true),
  /** `blocking`: each action waits for its ruling; `async`: low-risk ones don't. */
  mode: z._default(z.enum(['blocking', 'async']), 'blocking'),
  /** Base risk below which actions don't wait in `async` mode. */
  async_threshold: z._default(ratio, 0.3),
  /** Refuses to start agents whose actions can't be stopped beforehand. */
  require_gate: z._default(z.boolean(), false),
  risk: RiskSettings,
  rationality: RationalitySettings,
  rules: RuleSettings,
  cache: section({
    enabled: z._default(z.boolean(), true),
    ttl_seconds: z._default(positive, 300),
  }),
  performance: section({
    /** Time limit of a review; actions not analysed by then are denied unless they only read. */
    max_review_time_ms: z._default(positive, 100),
  }),
});
export type ReviewSettings = z.infer<typeof ReviewSettings>;
