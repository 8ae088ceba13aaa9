import type { Finding } from '../domain/finding.ts';
import type { InterventionRecord, InterventionType } from '../domain/intervention.ts';
import type { InterventionSettings } from '../domain/intervention-settings.ts';
import { ESCALATION_STEP, ESCALATION_WINDOW, SCORE_THRESHOLDS, SEVERITY_BASE } from '../domain/ladders.ts';
import type { AttemptSummary } from '../domain/state.ts';
import { attemptsSince, recordsOn } from './history.ts';

export type Score = {
  readonly base: number;
  readonly confidence: number;
  readonly impactFactor: number;
  /** Base × confidence × (1 + impact). */
  readonly severityScore: number;
  readonly escalationLevel: number;
  /** Severity score + 0.3 × escalation level. */
  readonly combined: number;
};

/** Sums of tenths in binary fall just short of a threshold that they meet on paper. */
const ROUNDING = 1e6;

/** How grave a finding is on this task (spec 3-interventions, The controller). */
export function scoreOf(
  finding: Finding,
  settings: Pick<InterventionSettings, 'weights'>,
  escalationLevel: number,
): Score {
  const own = Object.hasOwn(settings.weights, finding.type) ? settings.weights[finding.type] : undefined;
  const base = SEVERITY_BASE[finding.severity];
  const confidence = own?.confidence ?? finding.confidence;
  const impactFactor = own?.impactFactor ?? finding.impactFactor;
  const severityScore = rounded(base * confidence * (1 + impactFactor));
  const combined = rounded(severityScore + ESCALATION_STEP * escalationLevel);
  return { base, confidence, impactFactor, severityScore, escalationLevel, combined };
}

/** The type that a combined score proposes. */
export function proposedType(combined: number): InterventionType {
  return SCORE_THRESHOLDS.find(([least]) => combined >= least)?.[1] ?? 'soft_correction';
}

type Moment = { readonly at: string; readonly attempts: readonly AttemptSummary[] };

/**
 * How many interventions on the issue within the window did not help; in the window is what is young enough or what
 * lies within the task's last iterations, whichever reaches further back.
 */
export function escalationLevel(
  records: readonly InterventionRecord[],
  issue: string,
  { at, attempts }: Moment,
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
