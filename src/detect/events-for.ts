import type { EventDraft } from '../domain/event.ts';
import { type Finding, type FindingType, isFindingType } from '../domain/finding.ts';
import type { Severity } from '../domain/intervention.ts';
import type { Unavailable } from '../domain/state.ts';
import { VERDICT_COUNTING, type Verdict } from '../domain/verdict.ts';
import { unreachable } from '../lib/unreachable.ts';
import { type Attempt, contradictions, lacksFiles, workOf } from './attempt.ts';

export type EventsInput = {
  readonly attempt: Attempt;
  /** Name of the agent. */
  readonly agent: string;
  readonly findings: readonly Finding[];
  readonly verdict: Verdict;
  /** The sentence that came with the verdict. */
  readonly cause: string;
  /** True when feedback or more is given because of it. */
  readonly remediationAttempted: boolean;
  /** What a cause outside of the work means for the agent, if one ended the attempt. */
  readonly unavailable: Unavailable | null;
};

type EventType = EventDraft['event_type'];

/** How the events of built-in findings are called. */
const EVENT_OF: Readonly<Record<FindingType, EventType>> = {
  no_files: 'no_files_detected',
  false_completion: 'false_completion_detected',
  evidence_missing: 'evidence_validation_failed',
  repetitive_errors: 'repetitive_errors',
  scope_creep: 'scope_creep',
  goal_drift: 'goal_drift',
  resource_spiral: 'resource_spiral',
  hallucination: 'hallucination',
  gate_regression: 'gate_regression',
  oscillation: 'oscillation',
  critical_security_violation: 'critical_security_violation',
  state_tampering: 'state_tampering',
  unreviewed_action: 'unreviewed_action',
  action_denied: 'action_denied',
};

/**
 * The events of an iteration: one for each issue that was found, and `attempt_failed` for a failed attempt that none of
 * them explains, so that no failed attempt is without an event. An agent that is not available any more is an event of
 * its own.
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
  const found = new Map<string, EventDraft>();
  for (const { type, summary, details, ...rest } of findings) {
    if (found.has(type)) continue;
    const event = isFindingType(type)
      ? draft(EVENT_OF[type], severityOf(type, rest.severity, attempt), { summary, ...details })
      : // What a person's detector tells may be named as our own keys are.
        draft('pattern_detected', FOR_PEOPLE[rest.severity], { issue: type, summary, details });
    found.set(type, event);
  }
  const events = [...found.values()];
  if (VERDICT_COUNTING[verdict.kind].failedAttempt && !isExplained(verdict, found)) {
    events.push(draft('attempt_failed', 'warning', { verdict: verdict.kind, cause }));
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

/** The documented keys, in the documented order (spec 1-loop, Detection). */
function commonDetails(input: EventsInput): Record<string, unknown> {
  const { attempt } = input;
  const { end, claim } = attempt;
  return {
    task_id: attempt.task.id,
    agent: input.agent,
    agent_return_code: end.kind === 'exited' ? end.code : null,
    exit_signal_claimed: claim.exitSignal === true,
    files_written: workOf(attempt).length,
    evidence_count: claim.evidence.length,
    completion_claimed: claim.completion,
    agent_end: end.kind,
  };
}

/** Severity for people, where nothing else is known of an issue than how severe it is for the controller. */
const FOR_PEOPLE: Readonly<Record<Severity, EventDraft['severity']>> = {
  low: 'info',
  medium: 'warning',
  high: 'warning',
  critical: 'critical',
};

/** Severity for people; the controller goes by the finding's own. */
function severityOf(type: FindingType, severity: Severity, attempt: Attempt): EventDraft['severity'] {
  switch (type) {
    case 'no_files':
      return attempt.claim.completion ? 'critical' : 'warning';
    case 'false_completion':
      return lacksFiles(attempt) ? 'critical' : 'warning';
    case 'evidence_missing':
      // The work is there and only its list is missing.
      return contradictions(attempt).length === 0 && !lacksFiles(attempt) ? 'info' : 'warning';
    case 'unreviewed_action':
      return 'critical';
    case 'gate_regression':
    case 'action_denied':
    case 'repetitive_errors':
    case 'scope_creep':
    case 'goal_drift':
    case 'resource_spiral':
    case 'hallucination':
    case 'oscillation':
    case 'critical_security_violation':
    case 'state_tampering':
      return FOR_PEOPLE[severity];
    default:
      return unreachable(type);
  }
}

/** Whether the issues that were found say why the attempt failed. */
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
    case 'rolled_back':
      return found.has(verdict.issue);
    default:
      return false;
  }
}
