import type { InterventionSettings } from '../../domain/config.ts';
import type { Finding } from '../../domain/findings/finding.ts';
import {
  INTERVENTION_TYPES,
  type InterventionRecord,
  type InterventionType,
} from '../../domain/intervention.ts';
import type { AttemptSummary } from '../../domain/records/state.ts';
import { own } from '../../lib/own.ts';
import type { Severity } from '../../lib/severity.ts';
import { attemptsSince, recordsOn } from './history.ts';
import type { InterventionInput, Rung, Score } from './types.ts';

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

type Question = Pick<InterventionInput, 'endedAt' | 'agent' | 'effectiveness' | 'settings' | 'taskState'> & {
  readonly finding: Finding;
  readonly score: Score;
  /** What is left of the ladder, mildest first. */
  readonly rungs: readonly InterventionType[];
  /** Interventions of the series on the issue, oldest first, with their outcomes. */
  readonly records: readonly InterventionRecord[];
};

/** Outcomes from which on the effectiveness of an intervention is known. */
const LEAST_ASSESSED = 3;

/** Position among the five interventions, 0 the mildest. */
export function rank(type: InterventionType): number {
  return INTERVENTION_TYPES.indexOf(type);
}

/**
 * The rung for an issue that isn't critical (spec 3-interventions, Strategies; decisions.md, Interventions, settled);
 * `null` where nothing is left of the ladder that is at least as strict as what did not help.
 *
 * A first occurrence starts at the bottom. After that the strategy proposes, and the history bounds it: never below
 * the rung that did not help nor more than one above it, and one rung lower where the last one helped. A strategy
 * module (`custom`) that has no answer leaves it to `progressive`.
 */
export function chooseRung(question: Question): Rung | null {
  const { finding, records, rungs, taskState } = question;
  const last = records.at(-1);
  if (last === undefined) return firstRung(question);
  // No clean attempt makes up for it: ralph's files were edited, were restored, and were edited again.
  if (finding.type === 'state_tampering') return rung(rungs.at(-1), 'it was done again');
  // An intervention that no attempt followed shows nothing.
  const assessed = records.findLast(({ outcome }) => outcome === 'helped' || outcome === 'not_helped');
  if (assessed === undefined) return firstRung(question);
  // Two similar issues since the last intervention on it, this one included.
  const persists = attemptsSince(taskState.attempts, last.iteration).some(({ findings }) =>
    findings.includes(finding.type),
  );
  return assessed.outcome === 'helped'
    ? afterHelp(rungs, assessed, persists)
    : afterNoHelp(question, assessed, persists);
}

function firstRung({ finding, rungs, settings }: Question): Rung | null {
  if (settings.strategy.type !== 'pattern_specific')
    return rung(rungs[0], 'the first occurrence on this task');
  // Only critical findings go straight to a stop.
  const mild = rungs.filter((type) => type !== 'emergency_stop');
  return rung(bySeverity(finding, mild.length > 0 ? mild : rungs), `the severity is ${finding.severity}`);
}

/** The issue was gone and is back. */
function afterHelp(rungs: Question['rungs'], last: InterventionRecord, persists: boolean): Rung | null {
  const helped = `${last.type} helped after iteration ${last.iteration}`;
  if (persists) {
    const same = rungs.find((type) => rank(type) >= rank(last.type)) ?? rungs.at(-1);
    return rung(same, `${helped}, but the issue is back and persists`);
  }
  const below = rungs.findLast((type) => rank(type) < rank(last.type)) ?? rungs[0];
  return rung(below, `${helped}, so one rung lower`);
}

function afterNoHelp(question: Question, last: InterventionRecord, persists: boolean): Rung | null {
  const { rungs } = question;
  const same = rungs.find((type) => rank(type) >= rank(last.type));
  if (same === undefined) return null;
  const next = rungs.find((type) => rank(type) > rank(last.type)) ?? same;
  const failed = `${last.type} did not help in iteration ${last.iteration}`;
  if (next === same) return rung(same, failed);
  if (isEarly(question, last)) return rung(same, `${failed}, but it is too early for the next rung`);
  if (persists) return rung(next, `${failed} and the issue persists`);
  const { type, because } = proposal(question, last);
  return type !== undefined && rank(type) >= rank(next)
    ? rung(next, `${failed}; ${because}, at most one rung above`)
    : rung(same, `${failed}; ${because}`);
}

/** `progressive` gives an intervention its time, unless this is the very next attempt after it. */
function isEarly({ settings, endedAt, taskState }: Question, last: InterventionRecord): boolean {
  if (settings.strategy.type === 'pattern_specific') return false;
  const elapsedMs = Date.parse(endedAt) - Date.parse(last.at);
  return (
    elapsedMs < settings.strategy.escalation_delay_seconds * 1000 &&
    attemptsSince(taskState.attempts, last.iteration).length > 0
  );
}

/** What the strategy proposes after an intervention that did not help. */
function proposal(
  question: Question,
  last: InterventionRecord,
): { readonly type: InterventionType | undefined; readonly because: string } {
  const { agent, finding, rungs, score, settings } = question;
  if (settings.strategy.type === 'pattern_specific') {
    return { type: bySeverity(finding, rungs), because: `the severity is ${finding.severity}` };
  }
  const cells = question.effectiveness.filter(
    (cell) => cell.agent === agent && cell.issue === finding.type && cell.type === last.type,
  );
  const helped = cells.reduce((sum, cell) => sum + cell.helped, 0);
  const assessed = cells.reduce((sum, cell) => sum + cell.helped + cell.notHelped, 0);
  const share = helped / assessed;
  if (assessed >= LEAST_ASSESSED && share < settings.strategy.effectiveness_threshold) {
    const next = rungs.find((type) => rank(type) > rank(last.type));
    return { type: next, because: `it helps ${agent} in ${Math.round(share * 100)} % of the cases` };
  }
  const proposed = SCORE_THRESHOLDS.find(([least]) => score.combined >= least)?.[1] ?? 'soft_correction';
  return {
    type: rungs.findLast((type) => rank(type) <= rank(proposed)) ?? rungs[0],
    because: `the score proposes ${proposed}`,
  };
}

const RUNG_OF: Readonly<Record<Severity, number>> = {
  low: 0,
  medium: 1,
  high: 2,
  critical: Number.POSITIVE_INFINITY,
};

/** Low takes the first rung, medium the second, high the third, critical the last. */
function bySeverity({ severity }: Finding, rungs: Question['rungs']): InterventionType | undefined {
  return rungs[Math.min(RUNG_OF[severity], rungs.length - 1)];
}

function rung(type: InterventionType | undefined, why: string): Rung | null {
  return type === undefined ? null : { type, why };
}
