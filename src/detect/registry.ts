import type { FindingType } from '../domain/finding.ts';
import { evidenceMissing, falseCompletion, noFiles } from './completion.ts';
import { actionDenied, gateRegression, stateTampering, unreviewedAction } from './conduct.ts';
import type { Detector } from './detector.ts';
import { criticalSecurityViolation } from './patterns/critical-security-violation.ts';
import { goalDrift } from './patterns/goal-drift.ts';
import { hallucination } from './patterns/hallucination.ts';
import { oscillation } from './patterns/oscillation.ts';
import { repetitiveErrors } from './patterns/repetitive-errors.ts';
import { resourceSpiral } from './patterns/resource-spiral.ts';
import { scopeCreep } from './patterns/scope-creep.ts';

/**
 * All detectors that are built in, in the order of their findings. One more is one more entry here; a type that is new
 * goes into `FINDING_TYPES` and the tables of weights and ladders.
 */
export const DETECTORS: readonly (Detector & { readonly type: FindingType })[] = [
  { type: 'no_files', detect: noFiles },
  { type: 'false_completion', detect: falseCompletion },
  { type: 'evidence_missing', detect: evidenceMissing },
  { type: 'repetitive_errors', detect: repetitiveErrors },
  { type: 'scope_creep', detect: scopeCreep },
  { type: 'goal_drift', detect: goalDrift },
  { type: 'resource_spiral', detect: resourceSpiral },
  { type: 'hallucination', detect: hallucination },
  { type: 'gate_regression', detect: gateRegression, whenCutShort: true },
  { type: 'oscillation', detect: oscillation },
  { type: 'critical_security_violation', detect: criticalSecurityViolation, whenCutShort: true },
  { type: 'state_tampering', detect: stateTampering, whenCutShort: true },
  { type: 'unreviewed_action', detect: unreviewedAction, whenCutShort: true },
  { type: 'action_denied', detect: actionDenied, whenCutShort: true },
];
