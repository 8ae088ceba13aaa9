import type { InterventionSettings } from '../domain/config.ts';
import type { Finding } from '../domain/findings/finding.ts';
import { FINDINGS, type FindingType, isFindingType } from '../domain/findings/index.ts';
import { INTERVENTION_TYPES, type InterventionType } from '../domain/intervention.ts';
import type { PolicyStop } from '../domain/policy.ts';
import type { Escalation, EscalationLayer, EscalationStep } from '../domain/workflow/escalation.ts';
import { own } from '../lib/own.ts';
import type { Severity } from '../lib/severity.ts';

/**
 * The table of answers: what is done about an issue, by how often it was there. The ladder of interventions, the recovery, the
 * human gate, the block, the protocol of roles and policies and the break read their steps and numbers here; what you may set
 * in ralph.toml has its default in `domain/config.ts` and `domain/human/settings.ts`.
 */

type Ladder = readonly [InterventionType, ...InterventionType[]];

const [TELL, RESTATE, THROTTLE, RESTART, STOP] = INTERVENTION_TYPES;

/** The row of each issue: its steps, gentlest first. */
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

/** The row of an issue of your own detector that brings no ladder. */
const OWN_ISSUE: Ladder = [TELL, RESTATE, RESTART];

/** The issue that a recovery answers as soon as one correction didn't help; it ends at a human gate. */
export const AVOIDANCE = 'avoidance' satisfies FindingType;

/** The steps that answer a finding, gentlest first. An issue of your own detector may bring its ladder. */
export function ladderOf({ type, ladder }: Pick<Finding, 'type' | 'ladder'>): readonly InterventionType[] {
  if (isFindingType(type)) return LADDERS[type];
  const brought = INTERVENTION_TYPES.filter((step) => ladder?.includes(step));
  return brought.length > 0 ? brought : OWN_ISSUE;
}

/** Position among the five interventions, 0 the gentlest. */
export function rank(step: InterventionType): number {
  return INTERVENTION_TYPES.indexOf(step);
}

const SEVERITY_BASE: Readonly<Record<Severity, number>> = { low: 0.2, medium: 0.5, high: 0.8, critical: 1 };

/** What each intervention that didn't help adds to the score. */
export const ESCALATION_STEP = 0.3;

/**
 * An intervention that didn't help counts within so many minutes or so many attempts, whichever is longer. The minutes are
 * those in which attempts ran: the time between two attempts shows nothing of the agent.
 */
export const ESCALATION_WINDOW = { minutes: 5, attempts: 5 } as const;

/** The score from which a step is proposed; below all of them, the gentlest. */
const PROPOSED_FROM: readonly (readonly [score: number, step: InterventionType])[] = [
  [0.9, STOP],
  [0.7, RESTART],
  [0.5, THROTTLE],
  [0.3, RESTATE],
];

/** Outcomes from which on it is known how often a step helps an agent. */
export const LEAST_ASSESSED = 3;

/** Position in a ladder that the strategy `pattern_specific` takes by the severity. */
export const BY_SEVERITY: Readonly<Record<Severity, number>> = {
  low: 0,
  medium: 1,
  high: 2,
  critical: Number.POSITIVE_INFINITY,
};

/** How grave a finding is (spec 3-interventions, The controller). */
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

type Weighed = Pick<Finding, 'type' | 'severity' | 'confidence' | 'impactFactor'>;

/** How grave a finding is on its task. @param escalationLevel interventions on it that didn't help. */
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

/** Sums of tenths in binary fall just short of a threshold that they meet on paper. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** The step that a score proposes, whatever the ladder of the issue has. */
export function proposedBy({ combined }: Pick<Score, 'combined'>): InterventionType {
  return PROPOSED_FROM.find(([least]) => combined >= least)?.[1] ?? TELL;
}

/**
 * The step after one that didn't help: the next of the ladder where one at least as strict is proposed, else the same again.
 * `null`: nothing is left of the ladder that is as strict as what didn't help.
 */
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
 * The cell of the table: the step for a finding that is there for the `times`-th time while nothing helped, with the default
 * settings. From the second time on avoidance leads to a recovery besides; any other issue does once the last step of its
 * ladder didn't help, where that isn't a stop.
 */
export function stepAt(finding: Weighed & Pick<Finding, 'ladder'>, times: number): InterventionType {
  if (finding.severity === 'critical') return STOP;
  const rungs = ladderOf(finding);
  let step = rungs[0] ?? TELL;
  for (let level = 1; level < times; level += 1)
    step = stepAfter(rungs, step, proposedBy(scoreOf(finding, { weights: {} }, level))) ?? step;
  return step;
}

/** A finding of this type as its detector raises it, for the cells of its row. */
export function typical(type: FindingType, severity: Severity): Weighed {
  const { confidence, impactFactor } = FINDINGS[type];
  return { type, severity, confidence, impactFactor };
}

/** What an attempt of a recovery does differently, beside a changed prompt in a fresh session. */
export const RECOVERY = {
  /** From this attempt of a recovery on another agent takes over. */
  anotherAgentFrom: 2,
  /** From this attempt on only the files that the finding is about are to be changed, where they are so few. */
  narrowedFrom: 3,
  narrowTo: 10,
  /** Each attempt that ran into its time limit lengthens the next one by this. */
  moreTime: 1.5,
} as const;

/** A repository of more isn't committed unasked: a clone may have come along by mistake. */
export const LARGE_REPOSITORY = { files: 5000, bytes: 50_000_000 } as const;

/** How often something has to happen for the Wiggum Break, and the least score of cycles. */
export const BREAK_LIMITS = {
  failures: 3,
  blocked: 3,
  shadows: 3,
  oscillating: 2,
  convergence: 0.5,
} as const;

/** The one protocol of shadows and policies: the step for the first, the second and each further time, and what you are asked. */
const PROTOCOL: Readonly<
  Record<EscalationLayer, { readonly second: EscalationStep; readonly asks: string }>
> = {
  role: { second: 'replace', asks: 're-scope the task' },
  system: { second: 'pause', asks: 'something systemic is wrong' },
  policy: { second: 'force_stop', asks: 'a limit is reached' },
};

/** What follows when the same shadow or limit was found for the `times`-th time. */
export function escalate(layer: EscalationLayer, issue: string, times: number): Escalation {
  const { second, asks } = PROTOCOL[layer];
  const step = times <= 1 ? 'correct' : times === 2 ? second : 'person';
  return { layer, issue, times: Math.max(1, times), step, asks: step === 'person' ? asks : '' };
}

/** Runs are refused until `ralph resume`: at a break, and where the one protocol asks you. */
export function needsResume(stop: PolicyStop | null): boolean {
  return (
    stop !== null && (stop.kind === 'break' || escalate('policy', stop.kind, stop.times).step === 'person')
  );
}
