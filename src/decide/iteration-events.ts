import type { CriterionOnRecord } from '../domain/claim.ts';
import type { FeedbackEntry } from '../domain/feedback.ts';
import type { Finding } from '../domain/findings/finding.ts';
import { failedTries, hasMoved, type Recovery } from '../domain/human/recovery.ts';
import type { EventDraft } from '../domain/records/event.ts';
import type { IterationDecisions, IterationFacts } from '../domain/records/iteration.ts';
import { failedRuleText } from '../domain/review.ts';
import { type Attempt, eventsFor } from '../proof/findings/index.ts';
import { type checkThresholds, eventsOf } from '../respond/intervene/index.ts';
import { workflowEvents } from './workflow.ts';

type Exceeded = ReturnType<typeof checkThresholds>['exceeded'];

type Decided = Pick<
  IterationDecisions,
  'unavailable' | 'verdict' | 'cause' | 'blocked' | 'workflow' | 'suspendAgent' | 'recovering'
> & {
  readonly attempt: Attempt;
  readonly findings: readonly Finding[];
  readonly feedback: readonly FeedbackEntry[];
  readonly exceeded: Exceeded;
  readonly decided: Parameters<typeof eventsOf>[1];
};

/** The events of an iteration, in the order in which they are recorded. */
export function iterationEvents(facts: IterationFacts, decided: Decided): EventDraft[] {
  const { attempt, unavailable, findings, verdict, cause, feedback, exceeded } = decided;
  const remediationAttempted = feedback.length > 0;
  return [
    ...eventsFor({
      attempt,
      unavailable,
      agent: facts.agent,
      findings,
      verdict,
      cause,
      remediationAttempted,
    }),
    ...promptEvents(facts, feedback, exceeded, decided.suspendAgent),
    ...eventsOf(facts, decided.decided),
    ...blockEvents(facts, decided.blocked),
    ...workflowEvents(facts, decided.workflow),
    ...recoveryEvents(facts, decided.recovering),
    ...facts.review.failedRules.map((failed) =>
      event('rule_failed', 'warning', facts.task.id, { ...failed, summary: failedRuleText(failed) }),
    ),
  ];
}

/** Events of what the agent gets or got to read: feedback, a reinforcement, messages while it worked. */
function promptEvents(
  { agent, task, guidance, observed }: IterationFacts,
  feedback: readonly FeedbackEntry[],
  exceeded: Exceeded,
  suspended: string | null,
): EventDraft[] {
  const events: EventDraft[] = [];
  // A note that the status block was missing holds nothing against the agent.
  const kinds = feedback.map(({ kind }) => kind).filter((kind) => kind !== 'progress');
  if (kinds.length > 0 || exceeded.length > 0) {
    events.push(event('agent_reinforced', 'info', task.id, { agent, feedback: kinds }));
  }
  if (exceeded.length > 0) {
    events.push(
      event('threshold_exceeded', 'critical', task.id, {
        agent,
        exceeded: exceeded.map(({ which, count, threshold, window }) => ({
          which,
          count,
          threshold,
          window,
        })),
        suspended: suspended !== null,
      }),
    );
  }
  const messages = [...guidance, ...observed.corrections.map(({ text }) => text)];
  if (messages.length > 0) {
    events.push(event('mid_stream_prompt_injected', 'info', task.id, { agent, messages }));
  }
  return events;
}

/** A step of a recovery: what was diagnosed and what comes next, or how it ended. */
function recoveryEvents({ task, iteration }: IterationFacts, recovery: Recovery | null): EventDraft[] {
  if (recovery === null || !hasMoved(recovery, iteration)) return [];
  const { issue, ended, maxAttempts } = recovery;
  const last = recovery.tries.at(-1);
  const severity = ended === null || ended.how === 'recovered' ? 'info' : 'warning';
  return [
    event('recovery', severity, task.id, {
      issue,
      failed_attempts: failedTries(recovery),
      max_attempts: maxAttempts,
      diagnosis: last?.diagnosis ?? null,
      next: last?.adaptation ?? null,
      ended: ended?.how ?? null,
    }),
  ];
}

function blockEvents({ task }: IterationFacts, blocked: IterationDecisions['blocked']): EventDraft[] {
  if (blocked === null) return [];
  const { reason, detail } = blocked;
  return [event('task_blocked', 'warning', task.id, { reason, detail })];
}

function event(
  event_type: EventDraft['event_type'],
  severity: EventDraft['severity'],
  taskId: string,
  details: Record<string, unknown>,
): EventDraft {
  return { event_type, severity, details: { task_id: taskId, ...details }, remediation_attempted: true };
}

type Facts = Pick<IterationFacts, 'task' | 'criteria'>;

/** Acceptance criteria that the files contradict, as sentences. */
export function unmetCriteria(facts: Facts): string[] {
  return criteriaOnRecord(facts)
    .filter(({ standing: status }) => status === 'contradicted')
    .map(({ text, why }) => `${why} ("${text}")`);
}

/** How the task's criteria stand, with their words. */
export function criteriaOnRecord({ task, criteria }: Facts): CriterionOnRecord[] {
  return criteria.map(({ criterion, standing: status, why }) => ({
    text: (task.acceptance[criterion] ?? '').trim(),
    standing: status,
    why,
  }));
}
