import * as z from 'zod/mini';
import { count, positive, ratio, section, strings } from '../settings-section.ts';

/** Base risks by what an action does, the modifiers, and where the levels begin (spec 4-step-review, Risk). */
export const RiskSettings = section({
  file_read: z._default(ratio, 0.1),
  file_creation: z._default(ratio, 0.3),
  file_modification: z._default(ratio, 0.4),
  network_request: z._default(ratio, 0.6),
  /** A command of which nothing is known. */
  system_command: z._default(ratio, 0.7),
  file_deletion: z._default(ratio, 0.8),
  /** What can't be parsed, and tools that ralph doesn't know. */
  unknown: z._default(ratio, 0.8),
  out_of_scope: z._default(ratio, 0.3),
  privilege: z._default(ratio, 0.2),
  dangerous_pattern: z._default(ratio, 0.2),
  /** By how often the same action failed before: once, twice, more often. */
  repeated_failures: z._default(z.tuple([ratio, ratio, ratio]), [0.1, 0.2, 0.4]),
  /** Below it an action takes the fast path; below the others it is low, medium, high. */
  low_threshold: z._default(ratio, 0.3),
  medium_threshold: z._default(ratio, 0.6),
  high_threshold: z._default(ratio, 0.8),
  critical_threshold: z._default(ratio, 0.95),
  /** What would only be warned about is allowed the first time. */
  allow_first_time: z._default(z.boolean(), true),
});
export type RiskSettings = z.infer<typeof RiskSettings>;

/** Weights of the components, and where the levels begin (spec 4-step-review, Rationality). */
export const RationalitySettings = section({
  goal_alignment: z._default(ratio, 0.4),
  progression: z._default(ratio, 0.3),
  efficiency: z._default(ratio, 0.2),
  completeness: z._default(ratio, 0.1),
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
export type RuleSettings = z.infer<typeof RuleSettings>;

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
    max_entries: z._default(count, 1000),
  }),
  performance: section({
    /** The reviewer answers by then: what isn't analysed is denied unless it only reads. */
    max_review_time_ms: z._default(positive, 100),
  }),
});
export type ReviewSettings = z.infer<typeof ReviewSettings>;
