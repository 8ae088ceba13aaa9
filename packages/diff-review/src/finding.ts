import type { Severity } from 'ralph-kit/severity';

/**
 * Severity by category.
 * @see spec 5-human-gates, Avoidance detection
 */
export const AVOIDANCE = {
  test_deletion: 'high',
  test_skip: 'high',
  test_focus: 'medium',
  assertion_weakening: 'high',
  hardcoded_test_bypass: 'critical',
  gate_weakening: 'critical',
  feature_removal: 'high',
  coverage_regression: 'high',
  stub_completion: 'medium',
  error_swallowing: 'medium',
} as const satisfies Readonly<Record<string, Severity>>;

export type AvoidanceCategory = keyof typeof AVOIDANCE;

export type Signal = {
  readonly category: AvoidanceCategory;
  /** Form of the category: `skip_added`, `threshold_lowered`, … */
  readonly kind: string;
  readonly path: string;
  /** Line number in the new version, or in the old one for a removed line. */
  readonly line: number;
  /** `before` has the old lines, `after` the new ones; `null` without any. */
  readonly before: string | null;
  readonly after: string | null;
  /** Certainty of the detection, 0 to 1. */
  readonly confidence: number;
  readonly reason: string;
  readonly test: string | null;
};

export type AvoidanceFinding = Omit<Signal, 'test'> & {
  readonly severity: Severity;
  /** `act`: combined evidence. `warn`: a single sign that may have an honest explanation. */
  readonly level: 'warn' | 'act';
  /** Reasons for the level, one sentence each. */
  readonly evidence: readonly string[];
  /** Number of affected assertions: several on one line are one finding. */
  readonly times: number;
};
