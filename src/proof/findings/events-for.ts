import type { Finding } from '../../domain/findings/finding.ts';
import { entryOf, FINDINGS, isFindingType } from '../../domain/findings/index.ts';
import type { EventDraft } from '../../domain/records/event.ts';
import type { Unavailable } from '../../domain/records/state.ts';
import { VERDICT_COUNTING, type Verdict } from '../../domain/verdict.ts';
import { type Attempt, addsNothing, contradictions, isAlreadyDone, lacksFiles, workOf } from './attempt.ts';
import { decideByEnding } from './verdict/ending.ts';

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
  const facts = {
    completionClaimed: attempt.claim.completion,
    lacksFiles: lacksFiles(attempt),
    contradicted: contradictions(attempt).length > 0,
    criticalAction: attempt.review.blocked.some(({ severity }) => severity === 'critical'),
  };
  const found = new Map<string, EventDraft>();
  for (const { type, severity, summary, details } of findings) {
    if (found.has(type)) continue;
    const shown = entryOf(type).eventSeverity({ ...facts, severity });
    const event = isFindingType(type)
      ? draft(FINDINGS[type].event, shown, { summary, ...details })
      : // Your own detector may use our names for its details.
        draft('pattern_detected', shown, { issue: type, summary, details });
    found.set(type, event);
  }
  // It counts toward no threshold where the work is there already.
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

/** The documented keys, in the documented order (spec 1-loop, Detection). */
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
    default:
      return false;
  }
}
