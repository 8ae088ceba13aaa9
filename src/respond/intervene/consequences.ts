import type { FeedbackEntry } from '../../domain/feedback.ts';
import type { Finding } from '../../domain/findings/finding.ts';
import type { Intervention } from '../../domain/intervention.ts';
import type { EventDraft } from '../../domain/records/event.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import type { Verdict } from '../../domain/verdict.ts';
import type { InterventionDecision } from './types.ts';

type Judged = { readonly verdict: Verdict; readonly cause: string };

/** A rollback takes the work away, and work that leads to an emergency stop isn't accepted. */
export function verdictAfter(
  judged: Judged,
  interventions: readonly Intervention[],
  findings: readonly Finding[],
): Judged {
  for (const { plan, record } of interventions) {
    const { issue } = record;
    if (plan.type === 'checkpoint_rollback' && plan.checkpoint !== null) {
      const { checkpoint } = plan;
      return {
        verdict: { kind: 'rolled_back', checkpoint, issue, instead: judged.verdict.kind },
        cause: judged.cause,
      };
    }
    if (plan.type === 'emergency_stop' && judged.verdict.kind === 'done') {
      const message = findings.find(({ type }) => type === issue)?.summary ?? plan.reason;
      return {
        verdict: { kind: 'review_blocked', why: 'critical_finding', message },
        cause: `The work isn't accepted: ${message}`,
      };
    }
  }
  return judged;
}

/** What the interventions say to the next attempt. */
export function feedbackOf(
  { endedAt, iteration, task }: Pick<IterationFacts, 'endedAt' | 'iteration' | 'task'>,
  interventions: readonly Intervention[],
): FeedbackEntry[] {
  return interventions.flatMap(({ plan }) => {
    if (plan.type === 'emergency_stop') return [];
    const { type: kind } = plan;
    // The rebuilt context and the notice of lower limits are made anew for each prompt; what was wrong is said once.
    const text = 'facts' in plan ? plan.facts : plan.text;
    return text === ''
      ? []
      : [{ at: endedAt, taskId: task.id, iteration, kind, source: 'loop' as const, text }];
  });
}

/** An event for each intervention, for those that the limits held back, and for each handler that failed. */
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
