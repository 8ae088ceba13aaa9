import * as z from 'zod/mini';
import { positive, ratio, section, strings } from '../settings-section.ts';

/** Where the levels of risk begin (spec 4-step-review, Risk). */
export const RiskSettings = section({
  /** Below it an action takes the fast path; below the others it is low, medium, high. */
  low_threshold: z._default(ratio, 0.3),
  medium_threshold: z._default(ratio, 0.6),
  high_threshold: z._default(ratio, 0.8),
  critical_threshold: z._default(ratio, 0.95),
});
export type RiskSettings = z.infer<typeof RiskSettings>;

/** Where the levels of rationality begin (spec 4-step-review, Rationality). */
export const RationalitySettings = section({
  high_threshold: z._default(ratio, 0.8),
  medium_threshold: z._default(ratio, 0.5),
  /** Below it the rationality is listed as an issue. */
  low_threshold: z._default(ratio, 0.3),
});
export type RationalitySettings = z.infer<typeof RationalitySettings>;

export const RULE_SETS = ['all', 'essential', 'none'] as const;

/** `[review.rules]` */
export const RuleSettings = section({
  builtin: z._default(z.enum(RULE_SETS), 'all'),
  disabled: z._default(strings, []),
  custom_rules_path: z._default(z.string(), ''),
});

/** `[review]`: how the actions of agents are reviewed. */
export const ReviewSettings = section({
  enabled: z._default(z.boolean(), true),
  /** `blocking`: each action waits for its ruling; `async`: those of little risk don't. */
  mode: z._default(z.enum(['blocking', 'async']), 'blocking'),
  /** Actions whose base risk is below it don't wait in the mode `async`. */
  async_threshold: z._default(ratio, 0.3),
  /** An agent whose actions cannot be stopped before they happen is not started. */
  require_gate: z._default(z.boolean(), false),
  risk: RiskSettings,
  rationality: RationalitySettings,
  rules: RuleSettings,
  cache: section({
    enabled: z._default(z.boolean(), true),
    ttl_seconds: z._default(positive, 300),
  }),
  performance: section({
    /** The reviewer answers by then: what isn't analysed is denied unless it only reads. */
    max_review_time_ms: z._default(positive, 100),
  }),
});
export type ReviewSettings = z.infer<typeof ReviewSettings>;
