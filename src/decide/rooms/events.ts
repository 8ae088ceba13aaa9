import type { FeedbackEntry } from '../../domain/feedback.ts';
import { failedTries, hasMoved, type Recovery } from '../../domain/human/recovery.ts';
import type { EventDraft } from '../../domain/records/event.ts';
import type { IterationDecisions, IterationFacts } from '../../domain/records/iteration.ts';
import { failedRuleText } from '../../domain/review.ts';
import { type Attempt, eventsFor } from '../../proof/findings/index.ts';
import { type checkThresholds, eventsOf, type InterventionDecision } from '../../respond/intervene/index.ts';
import { room } from './room.ts';
import { type soloShadow, workflowEvents } from './workflow.ts';

type Exceeded = ReturnType<typeof checkThresholds>['exceeded'];

type Before = Pick<
  IterationDecisions,
  | 'findings'
  | 'verdict'
  | 'cause'
  | 'blocked'
  | 'workflow'
  | 'unavailable'
  | 'suspendAgent'
  | 'recovering'
  | 'feedback'
> & {
  readonly attempt: Attempt;
  readonly exceeded: Exceeded;
  readonly intervened: InterventionDecision;
  readonly shadow: ReturnType<typeof soloShadow>;
};

export const events = room('events', (facts: IterationFacts, before: Before) => ({
  events: [
    ...eventsFor({ ...before, agent: facts.agent, remediationAttempted: before.feedback.length > 0 }),
    ...promptEvents(facts, before.feedback, before.exceeded, before.suspendAgent),
    ...eventsOf(facts, before.intervened),
    ...blockEvents(facts, before.blocked),
    ...workflowEvents(facts, before.workflow),
    ...recoveryEvents(facts, before.recovering),
    ...facts.review.failedRules.map((failed) =>
      event('rule_failed', 'warning', facts.task.id, { ...failed, summary: failedRuleText(failed) }),
    ),
    ...before.shadow.events,
  ],
}));

function promptEvents(
  { agent, task, guidance, observed }: IterationFacts,
  feedback: readonly FeedbackEntry[],
  exceeded: Exceeded,
  suspended: string | null,
): EventDraft[] {
  const events: EventDraft[] = [];
  // A note on a missing status block isn't a finding against the agent.
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
