import type { InterventionType, Severity } from './intervention.ts';

type Ladder = readonly [InterventionType, ...InterventionType[]];

const SOFT = 'soft_correction';
const REINFORCE = 'context_reinforcement';
const THROTTLE = 'resource_throttling';
const ROLLBACK = 'checkpoint_rollback';
const STOP = 'emergency_stop';

/** The ladder of each issue type, gentlest rung first (spec 3-interventions, The controller). */
export const LADDERS: Readonly<Record<string, Ladder>> = {
  no_files: [SOFT, REINFORCE, STOP],
  false_completion: [SOFT, REINFORCE, ROLLBACK, STOP],
  evidence_missing: [SOFT, REINFORCE],
  repetitive_errors: [SOFT, REINFORCE, ROLLBACK],
  scope_creep: [REINFORCE, THROTTLE, STOP],
  resource_spiral: [THROTTLE, ROLLBACK, STOP],
  goal_drift: [SOFT, REINFORCE, ROLLBACK],
  hallucination: [REINFORCE, ROLLBACK, STOP],
  gate_regression: [SOFT, REINFORCE, ROLLBACK],
  oscillation: [REINFORCE, ROLLBACK],
  avoidance: [SOFT, ROLLBACK, STOP],
  state_tampering: [REINFORCE, STOP],
  critical_security_violation: [STOP],
  // Not in the specification's table: the gate of the agent does not hold, or it wanted what is denied.
  unreviewed_action: [SOFT, STOP],
  action_denied: [SOFT, REINFORCE, STOP],
};

/** For issues of detectors that bring none. */
export const DEFAULT_LADDER: Ladder = [SOFT, REINFORCE, ROLLBACK];

/** Base of the severity score (spec 3-interventions, The controller). */
export const SEVERITY_BASE: Readonly<Record<Severity, number>> = {
  low: 0.2,
  medium: 0.5,
  high: 0.8,
  critical: 1,
};

/** What each unhelpful intervention adds to the score. */
export const ESCALATION_STEP = 0.3;

/** The combined score from which a type is proposed, sternest first; below the last: soft correction. */
export const SCORE_THRESHOLDS: readonly (readonly [number, InterventionType])[] = [
  [0.9, STOP],
  [0.7, ROLLBACK],
  [0.5, THROTTLE],
  [0.3, REINFORCE],
];

/** An unhelpful intervention counts for escalation within so many minutes or so many iterations, whichever is longer. */
export const ESCALATION_WINDOW = { minutes: 5, iterations: 5 } as const;

/** Clean iterations after which throttled limits recover one step. */
export const RECOVERY_AFTER = 3;

/** Growth over these is moderate, high, aggressive and severe. */
export const GROWTH_STEPS = { moderate: 1.2, high: 1.5, aggressive: 2, severe: 4 } as const;
