import type { AgentReport, InfrastructureCause } from '../../../domain/agent.ts';
import { isOutsideCause, type Judgement, type OutsideVerdict } from '../../../domain/verdict.ts';
import { formatDuration } from '../../../lib/duration.ts';
import { redact } from '../../../lib/redact.ts';
import { stripControl } from '../../../lib/text.ts';
import { unreachable } from '../../../lib/unreachable.ts';
import type { Attempt } from '../attempt.ts';

/**
 * The verdict that follows from how the attempt ended, whatever is in the work tree; `null` when the agent finished and
 * its work is to be judged.
 */
export function decideByEnding(
  attempt: Pick<Attempt, 'end' | 'report' | 'claim' | 'review' | 'errorTail'>,
): Judgement | null {
  const { end, report, claim } = attempt;
  switch (end.kind) {
    case 'spawn_failed':
      return {
        verdict: { kind: 'spawn_failed', message: end.message },
        cause: `The agent could not be started (${end.code}): ${ended(end.message)}`,
      };
    case 'interrupted':
      return {
        verdict: { kind: 'interrupted', signal: end.signal },
        cause: `The attempt was interrupted by ${end.signal}.`,
      };
    case 'timed_out': {
      // An agent that waited out a usage limit or an outage until its timeout has failed at nothing.
      if (report.infrastructure !== null) return infrastructure(report.infrastructure);
      const after = formatDuration(end.afterMs);
      const cause =
        end.which === 'wall'
          ? `The agent was stopped after ${after}, its timeout.`
          : `The agent was stopped after ${after} without a sign of life.`;
      return { verdict: { kind: 'timed_out', which: end.which, afterMs: end.afterMs }, cause };
    }
    case 'halted':
      if (end.why === 'budget_spent') {
        return {
          verdict: { kind: 'interrupted', signal: null },
          cause: `The attempt was ended: ${ended(end.message)}`,
        };
      }
      if (end.why === 'endless') {
        if (report.infrastructure !== null) return infrastructure(report.infrastructure);
        return {
          verdict: { kind: 'agent_error', message: end.message },
          cause: `The attempt was ended: ${ended(end.message)}`,
        };
      }
      return {
        verdict: { kind: 'review_blocked', why: end.why, message: end.message },
        cause: `The attempt was ended: ${ended(end.message)}`,
      };
    case 'exited':
    case 'signalled':
      break;
    default:
      return unreachable(end);
  }

  const action = attempt.review.unreviewed;
  if (action !== null) {
    const message = `it did this without having been allowed to: ${action.action}`;
    return {
      verdict: { kind: 'review_blocked', why: 'unreviewed_action', message },
      cause: `The attempt does not count, as the agent acted without having been allowed to: ${ended(action.action)}`,
    };
  }
  if (report.infrastructure !== null) return infrastructure(report.infrastructure);
  const { waiting } = attempt.review;
  if (waiting.length > 0 && !claim.completion) return waits(waiting);
  if (end.kind === 'signalled') return agentError(`ended by ${end.signal}`, attempt);
  if (end.code !== 0) return agentError(`exit code ${end.code}`, attempt);
  if (!report.ok) return agentError('the agent reports failure', attempt);
  if (claim.status === 'blocked' && !claim.completion) {
    const reason = claim.reason ?? 'no reason given';
    return {
      verdict: { kind: 'agent_blocked', reason },
      cause: `The agent says it is blocked: ${ended(reason)}`,
    };
  }
  return null;
}

/** An action waits for you, whatever the agent says of it. */
export function waits(requests: readonly string[]): Judgement {
  return {
    verdict: { kind: 'awaiting_human', requests: [...requests] },
    cause: `The attempt ended while ${requests.join(', ')} ${requests.length === 1 ? 'waits' : 'wait'} for your decision.`,
  };
}

/** The cause outside of the work that ended an agent which isn't judged by its work; `null`: there is none. */
export function outsideVerdict({ end, report }: Pick<Attempt, 'end' | 'report'>): OutsideVerdict | null {
  if (end.kind === 'spawn_failed') return { kind: 'spawn_failed', message: end.message };
  const isCutOff = end.kind === 'interrupted' || (end.kind === 'halted' && end.why !== 'endless');
  return isCutOff || report.infrastructure === null ? null : outsideOf(report.infrastructure);
}

/** True when the attempt was cut short by something other than the agent's work. */
export function hasOutsideCause(
  attempt: Pick<Attempt, 'end' | 'report' | 'claim' | 'review' | 'errorTail'>,
): boolean {
  const decision = decideByEnding(attempt);
  return decision !== null && isOutsideCause(decision.verdict.kind);
}

function infrastructure(found: InfrastructureCause): Judgement {
  const { kind, message, resetsAt } = found;
  return { verdict: outsideOf(found), cause: `${INFRASTRUCTURE[kind]}: ${ended(message)}${until(resetsAt)}` };
}

const INFRASTRUCTURE: Readonly<Record<InfrastructureCause['kind'], string>> = {
  rate_limited: 'The agent reached a usage limit',
  auth: 'The agent is not signed in',
  outage: "The agent's service is not available",
};

function outsideOf({ kind, message, resetsAt }: InfrastructureCause): OutsideVerdict {
  return kind === 'rate_limited' ? { kind, message, resetsAt } : { kind, message };
}

function until(resetsAt: string | null): string {
  return resetsAt === null ? '' : ` It resets at ${resetsAt}.`;
}

/** Characters of standard error that are quoted. */
const ERROR_QUOTED = 300;

function agentError(how: string, { report, errorTail }: Pick<Attempt, 'report' | 'errorTail'>): Judgement {
  const reported = report.errors.at(-1) ?? lastWords(report, errorTail);
  const message = reported === null ? how : `${how}: ${reported}`;
  return { verdict: { kind: 'agent_error', message }, cause: `The agent failed (${bare(message)}).` };
}

/** An agent that never got to work says on standard error why; of one that worked there is noise on it. */
function lastWords(report: AgentReport, errorTail: string): string | null {
  if (report.toolCalls > 0 || report.finalMessage.trim() !== '') return null;
  const line = stripControl(errorTail).trim().split('\n').at(-1)?.trim() ?? '';
  return line === '' ? null : redact(line, []).slice(0, ERROR_QUOTED);
}

/** A message to be set into a sentence: without a full stop of its own. */
function bare(message: string): string {
  const text = message.trim();
  return text.endsWith('.') ? text.slice(0, -1) : text;
}

/** A message at the end of a sentence, which it may end itself. */
function ended(message: string): string {
  return /[.?!]$/.test(message.trim()) ? message.trim() : `${message.trim()}.`;
}
