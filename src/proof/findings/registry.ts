import { FINDING_TYPES, type FindingType } from '../../domain/findings/index.ts';
import type { Detector } from './detector.ts';
import { evidenceMissing, falseCompletion, noFiles } from './detectors/claims.ts';
import { driftOf, goalDrift } from './detectors/goal-drift.ts';
import { hallucination } from './detectors/hallucination.ts';
import { oscillation } from './detectors/oscillation.ts';
import { repetitiveErrors, repetitiveErrorsSoFar } from './detectors/repetitive-errors.ts';
import { resourceSpiral } from './detectors/resource-spiral.ts';
import {
  actionDenied,
  avoidance,
  criticalSecurityViolation,
  gateRegression,
  stateTampering,
  unreviewedAction,
} from './detectors/rules.ts';
import { scopeCreep } from './detectors/scope-creep.ts';

const BY_TYPE: Readonly<Record<FindingType, Omit<Detector, 'type'>>> = {
  no_files: { detect: noFiles },
  false_completion: { detect: falseCompletion },
  evidence_missing: { detect: evidenceMissing },
  repetitive_errors: { detect: repetitiveErrors, detectRunning: repetitiveErrorsSoFar },
  scope_creep: { detect: scopeCreep },
  goal_drift: { detect: goalDrift, detectRunning: driftOf },
  resource_spiral: { detect: resourceSpiral },
  hallucination: { detect: hallucination },
  gate_regression: { detect: gateRegression, whenCutShort: true },
  oscillation: { detect: oscillation },
  critical_security_violation: { detect: criticalSecurityViolation, whenCutShort: true },
  state_tampering: { detect: stateTampering, whenCutShort: true },
  unreviewed_action: { detect: unreviewedAction, whenCutShort: true },
  action_denied: { detect: actionDenied, whenCutShort: true },
  avoidance: { detect: avoidance },
};

export const DETECTORS: readonly (Detector & { readonly type: FindingType })[] = FINDING_TYPES.map(
  (type) => ({ type, ...BY_TYPE[type] }),
);
