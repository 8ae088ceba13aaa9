import type { InterventionSettings } from '../../domain/config.ts';
import type { Finding } from '../../domain/findings/finding.ts';
import type { InterventionRecord, InterventionType } from '../../domain/intervention.ts';
import type { AttemptSummary } from '../../domain/records/state.ts';
import { own } from '../../lib/own.ts';
import type { Severity } from '../../lib/severity.ts';
import { attemptsSince, recordsOn } from './history.ts';

/** (spec 3-interventions, The controller, as is all of this file) */
export type Score = {
  readonly base: number;
  readonly confidence: number;
  readonly impactFactor: number;
  /** Base × confidence × (1 + impact). */
  readonly severityScore: number;
  readonly escalationLevel: number;
  /** Severity score + `ESCALATION_STEP` × escalation level. */
  readonly combined: number;
};

const SEVERITY_BASE: Readonly<Record<Severity, number>> = { low: 0.2, medium: 0.5, high: 0.8, critical: 1 };

/** What each unhelpful intervention adds to the score. */
export const ESCALATION_STEP = 0.3;

/** An unhelpful intervention counts within so many minutes or so many iterations, whichever is longer. */
const ESCALATION_WINDOW = { minutes: 5, iterations: 5 } as const;

/** The combined score from which a type is proposed. */
const SCORE_THRESHOLDS: readonly (readonly [number, InterventionType])[] = [
  [0.9, 'emergency_stop'],
  [0.7, 'checkpoint_rollback'],
  [0.5, 'resource_throttling'],
  [0.3, 'context_reinforcement'],
];

/** Sums of tenths in binary fall just short of a threshold that they meet on paper. */
const ROUNDING = 1e6;

/** How grave a finding is on this task. */
export function scoreOf(
  finding: Finding,
  settings: Pick<InterventionSettings, 'weights'>,
  escalationLevel: number,
): Score {
  const given = own(settings.weights, finding.type);
  const base = SEVERITY_BASE[finding.severity];
  const confidence = given?.confidence ?? finding.confidence;
  const impactFactor = given?.impact_factor ?? finding.impactFactor;
  const severityScore = rounded(base * confidence * (1 + impactFactor));
  const combined = rounded(severityScore + ESCALATION_STEP * escalationLevel);
  return { base, confidence, impactFactor, severityScore, escalationLevel, combined };
}

/** The type that a combined score proposes. */
export function proposedType(combined: number): InterventionType {
  return SCORE_THRESHOLDS.find(([least]) => combined >= least)?.[1] ?? 'soft_correction';
}

/** How many interventions on the issue within the window did not help. */
export function escalationLevel(
  records: readonly InterventionRecord[],
  issue: string,
  at: string,
  attempts: readonly AttemptSummary[],
): number {
  return recordsOn(records, issue).filter(
    (record) =>
      record.outcome === 'not_helped' &&
      (Date.parse(at) - Date.parse(record.at) <= ESCALATION_WINDOW.minutes * 60_000 ||
        attemptsSince(attempts, record.iteration).length < ESCALATION_WINDOW.iterations),
  ).length;
}

function rounded(value: number): number {
  return Math.round(value * ROUNDING) / ROUNDING;
}
