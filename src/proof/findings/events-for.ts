import type { Finding } from '../../domain/findings/finding.ts';
import { eventOf, eventSeverityOf, isFindingType } from '../../domain/findings/index.ts';
import type { EventDraft } from '../../domain/records/event.ts';
import type { Unavailable } from '../../domain/service.ts';
import { VERDICT_COUNTING, type Verdict } from '../../domain/verdict.ts';
import { type Attempt, addsNothing, contradictions, isAlreadyDone, lacksFiles, workOf } from './attempt.ts';
import { decideByEnding } from './verdict/ending.ts';

export type EventsInput = {
  readonly attempt: Attempt;
  readonly agent: string;
  readonly findings: readonly Finding[];
  readonly verdict: Verdict;
  readonly cause: string;
  /** Feedback or a stronger correction follows. */
  readonly remediationAttempted: boolean;
  /** Meaning of an outside cause for the agent, if one ended the attempt. */
  readonly unavailable: Unavailable | null;
};

type EventType = EventDraft['event_type'];

/**
 * Returns the events of an iteration: one for each issue, one for an agent that is no longer available, and `attempt_failed` for a failed
 * attempt that no issue explains, so that each failed attempt has an event.
 */
export function eventsFor(input: EventsInput): EventDraft[] {
  const { attempt, findings, verdict, cause } = input;
  const draft = (
    event_type: EventType,
    severity: EventDraft['severity'],
    details: Readonly<Record<string, unknown>>,
  ): EventDraft => ({
    event_type,
    severity,
    details: { ...commonDetails(input), ...details },
    remediation_attempted: input.remediationAttempted,
  });
  const facts = {
    completionClaimed: attempt.claim.completion,
    lacksFiles: lacksFiles(attempt),
    contradicted: contradictions(attempt).length > 0,
    criticalAction: attempt.review.blocked.some(({ severity }) => severity === 'critical'),
  };
  const found = new Map<string, EventDraft>();
  for (const { type, severity, summary, details } of findings) {
    if (found.has(type)) continue;
    const shown = eventSeverityOf(type, { ...facts, severity });
    const event = isFindingType(type)
      ? draft(eventOf(type), shown, { summary, ...details })
      : // Your own detector may use ralph's names for its details.
        draft('pattern_detected', shown, { issue: type, summary, details });
    found.set(type, event);
  }
  // The event doesn't count towards a threshold if the work already exists.
  const isThere = !lacksFiles(attempt) || isAlreadyDone(attempt);
  if (isThere && addsNothing(attempt) && decideByEnding(attempt) === null)
    found.set('no_files', draft('no_files_detected', 'info', { summary: 'This attempt changed no file.' }));
  const events = [...found.values()];
  if (VERDICT_COUNTING[verdict.kind].failedAttempt && !isExplained(verdict, found)) {
    events.push(draft('attempt_failed', 'warning', { verdict: verdict.kind, cause }));
  }
  const { gateChanges } = attempt;
  if (gateChanges.length > 0) {
    const severity = gateChanges.some(({ hollow: why }) => why !== null) ? 'critical' : 'info';
    events.push(draft('gate_changed', severity, { changes: gateChanges }));
  }
  const { unavailable } = input;
  if (unavailable !== null) {
    const { until, tries } = unavailable;
    events.push(
      draft('agent_unavailable', until === null ? 'critical' : 'warning', {
        verdict: verdict.kind,
        cause,
        until,
        tries,
        given_up: until === null,
      }),
    );
  }
  return events;
}

/** Returns the documented keys in the documented order (`schemas/events.v1.schema.json`). */
function commonDetails(input: EventsInput): Record<string, unknown> {
  const { attempt } = input;
  const { end, claim } = attempt;
  return {
    task_id: attempt.task.id,
    agent: input.agent,
    agent_return_code: end.kind === 'exited' ? end.code : null,
    exit_signal_claimed: claim.exitSignal === true,
    files_written: workOf(attempt, attempt).length,
    evidence_count: claim.evidence.length,
    completion_claimed: claim.completion,
    agent_end: end.kind,
  };
}

function isExplained(verdict: Verdict, found: ReadonlyMap<string, unknown>): boolean {
  switch (verdict.kind) {
    case 'review_blocked':
      return verdict.why === 'limit_crossed'
        ? found.has('resource_spiral')
        : found.has('unreviewed_action') || found.has('action_denied');
    case 'no_files':
      return found.has('no_files');
    case 'false_completion':
    case 'gates_failed':
      return found.has('false_completion');
    default:
      return false;
  }
}
