import type { FeedbackEntry } from '../../domain/feedback.ts';
import type { Finding } from '../../domain/findings/finding.ts';
import type { Intervention, InterventionRecord } from '../../domain/intervention.ts';
import type { EventDraft } from '../../domain/records/event.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import type { TaskStatus } from '../../domain/task.ts';
import type { Judgement } from '../../domain/verdict.ts';
import type { InterventionDecision } from './types.ts';

/** Returns the verdict after interventions: work that leads to an emergency stop isn't accepted. */
export function verdictsAfter(
  { verdict }: Judgement,
  interventions: readonly Intervention[],
  findings: readonly Finding[],
): Judgement[] {
  const stop = interventions.find(({ plan }) => plan.type === 'emergency_stop');
  if (stop?.plan.type !== 'emergency_stop' || verdict.kind !== 'done') return [];
  const message = findings.find(({ type }) => type === stop.record.issue)?.summary ?? stop.plan.reason;
  return [
    {
      verdict: { kind: 'review_blocked', why: 'critical_finding', message },
      cause: `The work isn't accepted: ${message}`,
    },
  ];
}

type Due = {
  readonly interventions?: readonly Pick<Intervention, 'plan'>[];
  readonly leftOut?: readonly Pick<InterventionRecord, 'type'>[];
};

/**
 * Returns whether the work is set aside. The attempt then counts as failed, even if the intervention was left out
 * because it came too soon.
 */
export function isSetAside({ interventions = [], leftOut = [] }: Due): boolean {
  const isBack = ({ plan }: Pick<Intervention, 'plan'>) =>
    plan.type === 'checkpoint_rollback' && plan.checkpoint !== null;
  return interventions.some(isBack) || leftOut.some(({ type }) => type === 'checkpoint_rollback');
}

/** Returns the checkpoint from which the next attempt starts; `null`: the work stays, or there is no next attempt. */
export function checkpointOf({
  interventions,
  taskStatus,
}: {
  readonly interventions: readonly Pick<Intervention, 'plan'>[];
  readonly taskStatus: TaskStatus;
}): string | null {
  const back = interventions.find(({ plan }) => plan.type === 'checkpoint_rollback')?.plan;
  return taskStatus === 'open' && back?.type === 'checkpoint_rollback' ? back.checkpoint : null;
}

/**
 * Returns the feedback by interventions.
 * @param startsOver Whether the next attempt starts without the work
 */
export function feedbackOf(
  { endedAt, iteration, task }: Pick<IterationFacts, 'endedAt' | 'iteration' | 'task'>,
  interventions: readonly Intervention[],
  startsOver: boolean,
): FeedbackEntry[] {
  return interventions.flatMap(({ plan }) => {
    if (plan.type === 'emergency_stop') return [];
    const { type: kind } = plan;
    const isBack = kind === 'checkpoint_rollback' && (startsOver || plan.checkpoint === null);
    // Prompts get rebuilt context and lowered limits anyway, so the feedback only describes the problem.
    const text = isBack || kind === 'soft_correction' ? plan.text : plan.facts;
    return text === ''
      ? []
      : [{ at: endedAt, taskId: task.id, iteration, kind, source: 'loop' as const, text }];
  });
}

export function eventsOf(
  { task, agent, handled }: Pick<IterationFacts, 'task' | 'agent' | 'handled'>,
  { interventions, limitReached }: Pick<InterventionDecision, 'interventions' | 'limitReached'>,
): EventDraft[] {
  const event = (
    event_type: EventDraft['event_type'],
    severity: EventDraft['severity'],
    details: EventDraft['details'],
  ): EventDraft => ({
    event_type,
    severity,
    details: { task_id: task.id, agent, ...details },
    remediation_attempted: event_type === 'intervention_applied',
  });
  return [
    ...interventions.map((one) => event('intervention_applied', SEVERITY[one.plan.type], detailsOf(one))),
    ...(limitReached === null ? [] : [event('intervention_limit', 'warning', { reason: limitReached })]),
    ...handled
      .filter(({ failure }) => failure !== null)
      .map(({ issue, call, failure }) => event('handler_failed', 'warning', { issue, call, failure })),
  ];
}

const SEVERITY = {
  soft_correction: 'info',
  context_reinforcement: 'info',
  resource_throttling: 'info',
  checkpoint_rollback: 'warning',
  emergency_stop: 'critical',
} as const;

function detailsOf({ record, plan, why }: Intervention): EventDraft['details'] {
  return {
    intervention_type: record.type,
    issue_type: record.issue,
    ...(record.also.length === 0 ? {} : { also: record.also }),
    issue_severity: record.severity,
    severity_score: record.severityScore,
    escalation_level: record.escalationLevel,
    escalated: record.escalated,
    why,
    ...(plan.type === 'checkpoint_rollback' ? { checkpoint: plan.checkpoint, recovery: plan.recovery } : {}),
    ...(plan.type === 'resource_throttling' ? { limits: plan.limits, before: plan.before } : {}),
  };
}
