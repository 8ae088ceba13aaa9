import type { Severity } from '../../lib/severity.ts';

/** What is avoided, with its severity. @see spec 5-human-gates, Avoidance detection */
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

/** One sign of avoidance, before all of them are rated together. */
export type Signal = {
  readonly category: AvoidanceCategory;
  /** What exactly: `skip_added`, `threshold_lowered`, … */
  readonly kind: string;
  readonly path: string;
  /** In the new version; in the old one where the line is gone. */
  readonly line: number;
  /** The lines as they were and as they are, `null` where there is nothing. */
  readonly before: string | null;
  readonly after: string | null;
  /** 0 to 1: how sure the detection is. */
  readonly confidence: number;
  /** One sentence. */
  readonly reason: string;
  /** The name of the test that it is about. */
  readonly test: string | null;
};

/** A problem that the review of a diff found. */
export type AvoidanceFinding = Omit<Signal, 'test'> & {
  readonly severity: Severity;
  /** `act`: combined evidence; `warn`: a sign that may have an honest explanation. */
  readonly level: 'warn' | 'act';
  /** What the level was chosen by, one sentence each. */
  readonly evidence: readonly string[];
  /** How many checks it is about: several of one line are one finding. */
  readonly times: number;
};
