import { own } from 'ralph-kit/own';
import type { Severity } from 'ralph-kit/severity';
import type { InterventionSettings } from '../domain/config.ts';
import type { Finding } from '../domain/findings/finding.ts';
import { FINDINGS, type FindingType, isFindingType } from '../domain/findings/index.ts';
import { INTERVENTION_TYPES, type InterventionType } from '../domain/intervention.ts';
import type { PolicyStop } from '../domain/policy.ts';
import type { Strategy } from '../domain/records/blocked.ts';
import type { Escalation, EscalationLayer, EscalationStep } from '../domain/workflow/escalation.ts';

/**
 * Steps and numbers of all answers to problems: ladder, recovery, human gate, protocols of roles and policies, break,
 * and suggestions for blocked tasks. Defaults of numbers that you can set are in `domain/config.ts` and
 * `domain/human/settings.ts`.
 */

type Ladder = readonly [InterventionType, ...InterventionType[]];

const [TELL, RESTATE, THROTTLE, RESTART, STOP] = INTERVENTION_TYPES;

/** Steps for each issue, gentlest first. */
const LADDERS = {
  no_files: [TELL, RESTATE, STOP],
  false_completion: [TELL, RESTATE, RESTART, STOP],
  evidence_missing: [TELL, RESTATE],
  repetitive_errors: [TELL, RESTATE, RESTART],
  scope_creep: [RESTATE, THROTTLE, STOP],
  goal_drift: [TELL, RESTATE, RESTART],
  resource_spiral: [THROTTLE, RESTART, STOP],
  hallucination: [RESTATE, RESTART, STOP],
  gate_regression: [TELL, RESTATE, RESTART],
  oscillation: [RESTATE, RESTART],
  critical_security_violation: [STOP],
  state_tampering: [RESTATE, STOP],
  unreviewed_action: [TELL, STOP],
  action_denied: [TELL, RESTATE, STOP],
  avoidance: [TELL, RESTART, STOP],
} as const satisfies Readonly<Record<FindingType, Ladder>>;

/** Steps for an issue of your own detector that brings no ladder. */
const OWN_ISSUE: Ladder = [TELL, RESTATE, RESTART];

/** The issue that a recovery answers as soon as one correction didn't help. The recovery ends at a human gate. */
export const AVOIDANCE = 'avoidance' satisfies FindingType;

/** Returns the steps for a finding, gentlest first. An issue of your own detector may bring its own ladder. */
export function ladderOf({ type, ladder }: Pick<Finding, 'type' | 'ladder'>): readonly InterventionType[] {
  if (isFindingType(type)) return LADDERS[type];
  const brought = INTERVENTION_TYPES.filter((step) => ladder?.includes(step));
  return brought.length > 0 ? brought : OWN_ISSUE;
}

/** Returns the position of a step among the five interventions; 0 is the gentlest. */
export function rank(step: InterventionType): number {
  return INTERVENTION_TYPES.indexOf(step);
}

const SEVERITY_BASE: Readonly<Record<Severity, number>> = { low: 0.2, medium: 0.5, high: 0.8, critical: 1 };

/** Number that each intervention which didn't help adds to the score. */
export const ESCALATION_STEP = 0.3;

/**
 * Minutes or attempts, whichever is longer, for which an intervention that didn't help counts. Only time of attempts
 * counts, because the time between them shows nothing about the agent.
 */
export const ESCALATION_WINDOW = { minutes: 5, attempts: 5 } as const;

/** Lowest scores at which each step is proposed. Below the lowest one, the gentlest step is. */
const PROPOSED_FROM: readonly (readonly [score: number, step: InterventionType])[] = [
  [0.9, STOP],
  [0.7, RESTART],
  [0.5, THROTTLE],
  [0.3, RESTATE],
];

/** Number of outcomes from which on an agent's success with a step is known. */
export const LEAST_ASSESSED = 3;

/** Position in the ladder by severity, for the strategy `pattern_specific`. */
export const BY_SEVERITY: Readonly<Record<Severity, number>> = {
  low: 0,
  medium: 1,
  high: 2,
  critical: Number.POSITIVE_INFINITY,
};

/** Score of a finding, as in docs/INTERVENTIONS.md. */
export type Score = {
  readonly base: number;
  readonly confidence: number;
  readonly impactFactor: number;
  /** Base severity × confidence × (1 + impact factor). */
  readonly severityScore: number;
  readonly escalationLevel: number;
  /** Severity score + `ESCALATION_STEP` × escalation level. */
  readonly combined: number;
};

type Weighed = Pick<Finding, 'type' | 'severity' | 'confidence' | 'impactFactor'>;

/**
 * Returns the score of a finding.
 * @param escalationLevel Number of interventions on the finding that didn't help
 */
export function scoreOf(
  { type, severity, ...found }: Weighed,
  { weights }: Pick<InterventionSettings, 'weights'>,
  escalationLevel: number,
): Score {
  const given = own(weights, type);
  const base = SEVERITY_BASE[severity];
  const confidence = given?.confidence ?? found.confidence;
  const impactFactor = given?.impact_factor ?? found.impactFactor;
  const severityScore = rounded(base * confidence * (1 + impactFactor));
  const combined = rounded(severityScore + ESCALATION_STEP * escalationLevel);
  return { base, confidence, impactFactor, severityScore, escalationLevel, combined };
}

/** Rounds a sum of tenths, which as a binary fraction may be just below a threshold that it should reach. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** Returns the step that a score suggests, whatever ladder the issue has. */
export function proposedBy({ combined }: Pick<Score, 'combined'>): InterventionType {
  return PROPOSED_FROM.find(([least]) => combined >= least)?.[1] ?? TELL;
}

/** Returns the next step of the ladder; `null`: no remaining step is at least as strict as the one that didn't help. */
export function stepAfter(
  rungs: readonly InterventionType[],
  unhelpful: InterventionType,
  proposed: InterventionType,
): InterventionType | null {
  const same = rungs.find((step) => rank(step) >= rank(unhelpful)) ?? null;
  const next = rungs.find((step) => rank(step) > rank(unhelpful));
  return next !== undefined && rank(proposed) >= rank(next) ? next : same;
}

/**
 * Returns the step with default settings if nothing helped so far. Recoveries aren't included: they start at the second
 * avoidance, and for other issues once the last step, if it isn't a stop, didn't help.
 */
export function stepAt(finding: Weighed & Pick<Finding, 'ladder'>, times: number): InterventionType {
  if (finding.severity === 'critical') return STOP;
  const rungs = ladderOf(finding);
  let step = rungs[0] ?? TELL;
  for (let level = 1; level < times; level += 1)
    step = stepAfter(rungs, step, proposedBy(scoreOf(finding, { weights: {} }, level))) ?? step;
  return step;
}

export function typical(type: FindingType, severity: Severity): Weighed {
  const { confidence, impactFactor } = FINDINGS[type];
  return { type, severity, confidence, impactFactor };
}

/** Steps of a recovery. Each of its attempts also has a changed prompt and a new session. */
export const RECOVERY = {
  /** Number of the recovery's attempt from which on another agent works. */
  anotherAgentFrom: 2,
  /** Number of the attempt from which on only the finding's files may be changed, if there are at most `narrowTo`. */
  narrowedFrom: 3,
  narrowTo: 10,
  /** Factor for the time limit after each attempt that timed out. */
  moreTime: 1.5,
} as const;

/** Counts that cause a break, and the lowest convergence of cycles that doesn't. */
export const BREAK_LIMITS = {
  failures: 3,
  blocked: 3,
  shadows: 3,
  oscillating: 2,
  convergence: 0.5,
} as const;

/**
 * Strategies for a blocked task in the order in which they are tried. Causes that no attempt can get around come before
 * time and size, and another agent comes last. If none fits, you review the task.
 */
export const STRATEGIES = [
  'fix_gate_tooling',
  'fix_environment',
  'review_scope',
  'increase_timeout',
  'skip_subtasks',
  'split_task',
  'show_evidence',
  'switch_agent',
] as const satisfies readonly Strategy[];

export const UNBLOCKING = {
  /** Factor of the longest failed attempt, for the suggested time limit. */
  moreTime: 2,
  /** Share of attempts at the level that finished within the suggested time limit. */
  levelShare: 0.9,
  /** Share of its timeout before which an attempt must have been ended for lack of output. */
  ranOutShare: 0.95,
  /** Number of attempts from which on an agent's results at a level count. */
  attemptsNeeded: 3,
  /** Difference by which the other agent's share of done attempts has to be larger. */
  margin: 0.2,
} as const;

/** Steps against shadows and by policies: first `correct`, then `second`, then you are asked `asks`. */
const PROTOCOL: Readonly<
  Record<EscalationLayer, { readonly second: EscalationStep; readonly asks: string }>
> = {
  role: { second: 'replace', asks: 're-scope the task' },
  system: { second: 'pause', asks: 'something systemic is wrong' },
  policy: { second: 'force_stop', asks: 'a limit is reached' },
};

export function escalate(layer: EscalationLayer, issue: string, times: number): Escalation {
  const { second, asks } = PROTOCOL[layer];
  const step = times <= 1 ? 'correct' : times === 2 ? second : 'person';
  return { layer, issue, times: Math.max(1, times), step, asks: step === 'person' ? asks : '' };
}

/** Returns whether runs are refused until `ralph resume`: after a break, and when the protocol asks you. */
export function needsResume(stop: PolicyStop | null): boolean {
  return (
    stop !== null && (stop.kind === 'break' || escalate('policy', stop.kind, stop.times).step === 'person')
  );
}
