import type { EventDraft } from '../domain/event.ts';
import type { Finding } from '../domain/finding.ts';
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
  readonly unavailable?: Unavailable | null;
};

type EventType = EventDraft['event_type'];

/**
 * The events of an iteration, each type at most once: one for each finding, and `attempt_failed` for a failed attempt
 * that none of them explains, so that no failed attempt is without an event. An agent that is not available any more
 * is an event of its own.
 */
export function eventsFor(input: EventsInput): EventDraft[] {
  const drafts = new Map<EventType, EventDraft>();
  const add = (
    type: EventType,
    severity: EventDraft['severity'],
    details: Readonly<Record<string, unknown>>,
  ): void => {
    if (drafts.has(type)) return;
    drafts.set(type, {
      event_type: type,
      severity,
      details: { ...commonDetails(input), ...details },
      remediation_attempted: input.remediationAttempted,
    });
  };
  for (const finding of input.findings) {
    add(eventOf(finding), severityOf(finding, input.attempt), {
      summary: finding.summary,
      ...finding.details,
    });
  }
  const { verdict } = input;
  if (VERDICT_COUNTING[verdict.kind].failedAttempt && !isExplained(verdict, drafts)) {
    add('attempt_failed', 'warning', { verdict: verdict.kind, cause: input.cause });
  }
  const unavailable = input.unavailable ?? null;
  if (unavailable !== null) {
    const { until, tries } = unavailable;
    add('agent_unavailable', until === null ? 'critical' : 'warning', {
      verdict: verdict.kind,
      cause: input.cause,
      until,
      tries,
      given_up: until === null,
    });
  }
  return [...drafts.values()];
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

function eventOf(finding: Finding): EventType {
  switch (finding.type) {
    case 'no_files':
      return 'no_files_detected';
    case 'false_completion':
      return 'false_completion_detected';
    case 'evidence_missing':
      return 'evidence_validation_failed';
    case 'gate_regression':
    case 'state_tampering':
    case 'unreviewed_action':
    case 'action_denied':
      return finding.type;
    default:
      return unreachable(finding.type);
  }
}

/** Severity for people; the controller goes by the finding's own. */
function severityOf(finding: Finding, attempt: Attempt): EventDraft['severity'] {
  switch (finding.type) {
    case 'no_files':
      return attempt.claim.completion ? 'critical' : 'warning';
    case 'false_completion':
      return lacksFiles(attempt) ? 'critical' : 'warning';
    case 'evidence_missing':
      // The work is there and only its list is missing.
      return contradictions(attempt).length === 0 && !lacksFiles(attempt) ? 'info' : 'warning';
    case 'gate_regression':
    case 'action_denied':
      return 'warning';
    case 'unreviewed_action':
      return 'critical';
    case 'state_tampering':
      return finding.severity === 'critical' ? 'critical' : 'warning';
    default:
      return unreachable(finding.type);
  }
}

function isExplained(verdict: Verdict, drafts: ReadonlyMap<EventType, EventDraft>): boolean {
  if (verdict.kind === 'review_blocked') {
    return drafts.has('unreviewed_action') || drafts.has('action_denied');
  }
  if (verdict.kind === 'no_files') return drafts.has('no_files_detected');
  if (verdict.kind === 'false_completion' || verdict.kind === 'gates_failed') {
    return drafts.has('false_completion_detected');
  }
  return false;
}
