import type { FindingType } from './finding.ts';

type Weight = {
  /** 0 to 1: how sure the detection is. */
  readonly confidence: number;
  /** 0 to 1: how much worse it makes the severity score. */
  readonly impactFactor: number;
};

/**
 * Confidence and impact by type of finding. State tampering is seen for certain and weighs as a regression does.
 * @see decisions.md, Interventions, settled
 */
export const FINDING_WEIGHTS: Readonly<Record<FindingType, Weight>> = {
  no_files: { confidence: 1, impactFactor: 0 },
  false_completion: { confidence: 1, impactFactor: 0.2 },
  evidence_missing: { confidence: 0.8, impactFactor: 0 },
  repetitive_errors: { confidence: 0.9, impactFactor: 0.2 },
  scope_creep: { confidence: 0.8, impactFactor: 0.3 },
  goal_drift: { confidence: 0.6, impactFactor: 0.1 },
  resource_spiral: { confidence: 0.8, impactFactor: 0.3 },
  hallucination: { confidence: 0.8, impactFactor: 0.3 },
  gate_regression: { confidence: 1, impactFactor: 0.3 },
  oscillation: { confidence: 0.9, impactFactor: 0.2 },
  critical_security_violation: { confidence: 1, impactFactor: 1 },
  state_tampering: { confidence: 1, impactFactor: 0.3 },
  unreviewed_action: { confidence: 1, impactFactor: 1 },
  action_denied: { confidence: 1, impactFactor: 0.3 },
};

/** Of every critical finding, whatever its type. */
export const CRITICAL_WEIGHT: Weight = { confidence: 1, impactFactor: 1 };
