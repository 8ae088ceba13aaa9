import type { EventDraft } from '../domain/event.ts';
import type { FeedbackEntry } from '../domain/feedback.ts';
import type { Finding } from '../domain/finding.ts';
import type { Intervention } from '../domain/intervention.ts';
import type { IterationDecisions, IterationFacts } from '../domain/iteration.ts';
import { isOutsideCause, type Verdict } from '../domain/verdict.ts';
import { type ControlDecision, control } from '../intervene/index.ts';

type Judged = { readonly verdict: Verdict; readonly cause: string };

/**
 * What is done about the findings of an attempt; `null` where nothing is to be decided: interventions are switched
 * off, or the cause lies outside of the work.
 *
 * @param blocked whether the task would be blocked by what the attempt came to.
 */
export function intervene(
  facts: IterationFacts,
  findings: readonly Finding[],
  verdict: Verdict,
  blocked: boolean,
): ControlDecision | null {
  const { settings, resources, limits, configuredLimits } = facts;
  if (!settings.interventionsEnabled) return null;
  const outside = isOutsideCause(verdict.kind);
  if (outside && !findings.some(({ severity }) => severity === 'critical')) return null;
  return control({
    findings,
    task: facts.task,
    taskState: facts.taskState,
    agent: facts.agent,
    iteration: facts.iteration,
    at: facts.endedAt,
    settings: settings.control,
    // What a cause outside of the work cut short is judged by nothing but what is critical.
    standing: verdict.kind === 'done' || outside ? 'done' : blocked ? 'blocked' : 'open',
    configured: configuredLimits,
    limits,
    resources,
    timeoutSeconds: facts.timeoutSeconds,
    checkpoints: facts.checkpoints,
    effectiveness: facts.effectiveness,
    runInterventions: facts.runInterventions,
    handled: facts.handled,
    corrections: facts.observed.corrections,
    progress: {
      changedPaths: facts.changes.changes.map(({ path }) => path),
      doneTitles: facts.doneTitles,
    },
  });
}

/** A rollback takes the work away, and work that leads to an emergency stop is not accepted. */
export function verdictAfter(
  judged: Judged,
  controlled: ControlDecision | null,
  findings: readonly Finding[],
): Judged {
  for (const { plan, record } of controlled?.interventions ?? []) {
    if (plan.type === 'checkpoint_rollback' && plan.checkpoint !== null) {
      return {
        verdict: {
          kind: 'rolled_back',
          checkpoint: plan.checkpoint,
          issue: record.issue,
          instead: judged.verdict.kind,
        },
        cause: `${judged.cause} The work tree goes back to checkpoint ${plan.checkpoint} (${record.issue}).`,
      };
    }
    if (plan.type === 'emergency_stop' && judged.verdict.kind === 'done') {
      const message = findings.find(({ type }) => type === record.issue)?.summary ?? plan.reason;
      return {
        verdict: { kind: 'review_blocked', why: 'critical_finding', message },
        cause: `The work is not accepted: ${message}`,
      };
    }
  }
  return judged;
}

/** What the interventions say to the next attempt. */
export function messagesOf(
  { endedAt, iteration, task }: Pick<IterationFacts, 'endedAt' | 'iteration' | 'task'>,
  controlled: ControlDecision | null,
): FeedbackEntry[] {
  return (controlled?.interventions ?? []).flatMap(({ plan }) => {
    // Reinforcement and the notice of throttled limits are made anew for each prompt.
    if (plan.type !== 'soft_correction' && plan.type !== 'checkpoint_rollback') return [];
    if (plan.text === '') return [];
    return [
      {
        at: endedAt,
        taskId: task.id,
        iteration,
        kind: plan.type,
        source: 'loop' as const,
        text: plan.text,
      },
    ];
  });
}

/** An event for each intervention, for one that the limits held back, and for modules of a person that failed. */
export function interventionEvents(
  { task, agent, handled }: Pick<IterationFacts, 'task' | 'agent' | 'handled'>,
  controlled: ControlDecision | null,
): EventDraft[] {
  const common = { task_id: task.id, agent };
  const failures = handled.filter(({ failure }) => failure !== null);
  const limit = controlled?.limitReached ?? null;
  return [
    ...(controlled?.interventions ?? []).map(
      (one): EventDraft => ({
        event_type: 'intervention_applied',
        severity: severityOf(one),
        details: { ...common, ...detailsOf(one) },
        remediation_attempted: true,
      }),
    ),
    ...(limit === null
      ? []
      : [
          {
            event_type: 'intervention_limit' as const,
            severity: 'warning' as const,
            details: { ...common, reason: limit },
            remediation_attempted: false,
          },
        ]),
    ...failures.map(
      ({ issue, call, failure }): EventDraft => ({
        event_type: 'handler_failed',
        severity: 'warning',
        details: { ...common, issue, call, failure },
        remediation_attempted: false,
      }),
    ),
  ];
}

function severityOf({ plan }: Intervention): EventDraft['severity'] {
  if (plan.type === 'emergency_stop') return 'critical';
  return plan.type === 'checkpoint_rollback' ? 'warning' : 'info';
}

function detailsOf({ record, plan, why }: Intervention): Record<string, unknown> {
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

export function statusOf(
  verdict: Verdict,
  blocked: IterationDecisions['blocked'],
  parkedBecause: string | null,
): IterationDecisions['taskStatus'] {
  if (verdict.kind === 'done') return 'done';
  if (blocked !== null) return 'blocked';
  return parkedBecause === null ? 'open' : 'parked';
}
