import type { EventDraft } from '../domain/event.ts';
import type { Finding } from '../domain/finding.ts';
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
};

type EventType = EventDraft['event_type'];

/**
 * The events of an iteration, each type at most once: one for each finding, and `attempt_failed` for a failed attempt
 * that none of them explains, so that no failed attempt is without an event.
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
      return 'warning';
    case 'state_tampering':
      return finding.severity === 'critical' ? 'critical' : 'warning';
    default:
      return unreachable(finding.type);
  }
}

function isExplained(verdict: Verdict, drafts: ReadonlyMap<EventType, EventDraft>): boolean {
  if (verdict.kind === 'no_files') return drafts.has('no_files_detected');
  if (verdict.kind === 'false_completion' || verdict.kind === 'gates_failed') {
    return drafts.has('false_completion_detected');
  }
  return false;
}
