import type { AgentReport, InfrastructureCause } from 'ralph-agents/event';
import { isLimit } from 'ralph-agents/event';
import { formatDuration } from 'ralph-kit/duration';
import { lastErrorIn } from 'ralph-kit/error-line';
import { redact } from 'ralph-kit/redact';
import { stripControl } from 'ralph-kit/text';
import { unreachable } from 'ralph-kit/unreachable';
import { CONSEQUENCES } from '../../../domain/service.ts';
import { isOutsideCause, type Judgement, type OutsideVerdict } from '../../../domain/verdict.ts';
import type { Attempt } from '../attempt.ts';

type EndedAttempt = Pick<Attempt, 'end' | 'report' | 'claim' | 'review' | 'errorTail'>;

/** Returns the verdict by the end of the attempt; `null` when the agent finished and its work has to be judged. */
export function decideByEnding(attempt: EndedAttempt): Judgement | null {
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
      // An agent that waited for a usage limit or an outage until its timeout didn't fail.
      if (report.infrastructure !== null) return infrastructure(report.infrastructure);
      const after = formatDuration(end.afterMs);
      const cause =
        end.which === 'wall'
          ? `The agent was stopped after ${after}, its timeout.`
          : `The agent was stopped after ${after} without a sign of life.`;
      return { verdict: { kind: 'timed_out', which: end.which, afterMs: end.afterMs }, cause };
    }
    case 'halted': {
      const { why, message } = end;
      const cause = `The attempt was ended: ${ended(message)}`;
      if (why === 'budget_spent') return { verdict: { kind: 'interrupted', signal: null }, cause };
      if (why !== 'endless') return { verdict: { kind: 'review_blocked', why, message }, cause };
      if (report.infrastructure !== null) return infrastructure(report.infrastructure);
      return { verdict: { kind: 'agent_error', message }, cause };
    }
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
  if (end.code !== 0) return agentError(exitText(end.code), attempt);
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

export function waits(requests: readonly string[]): Judgement {
  return {
    verdict: { kind: 'awaiting_human', requests: [...requests] },
    cause: `The attempt ended while ${requests.join(', ')} ${requests.length === 1 ? 'waits' : 'wait'} for your decision.`,
  };
}

/** Returns the outside cause that ended an agent which isn't judged by its work; `null` without one. */
export function outsideVerdict({ end, report }: Pick<Attempt, 'end' | 'report'>): OutsideVerdict | null {
  if (end.kind === 'spawn_failed') return { kind: 'spawn_failed', message: end.message };
  const isCutOff = end.kind === 'interrupted' || (end.kind === 'halted' && end.why !== 'endless');
  return isCutOff || report.infrastructure === null ? null : outsideOf(report.infrastructure);
}

export function hasOutsideCause(attempt: EndedAttempt): boolean {
  const decision = decideByEnding(attempt);
  return decision !== null && isOutsideCause(decision.verdict.kind);
}

function infrastructure(found: InfrastructureCause): Judgement {
  const { kind, message, resetsAt } = found;
  return {
    verdict: outsideOf(found),
    cause: `${CONSEQUENCES[kind].cause}: ${ended(message)}${until(resetsAt)}`,
  };
}

function outsideOf({ kind, message, resetsAt }: InfrastructureCause): OutsideVerdict {
  return isLimit(kind) ? { kind, message, resetsAt } : { kind, message };
}

function until(resetsAt: string | null): string {
  return resetsAt === null ? '' : ` It resets at ${resetsAt}.`;
}

const SIGNALS: ReadonlyMap<number, string> = new Map([
  [6, 'SIGABRT'],
  [9, 'SIGKILL'],
  [11, 'SIGSEGV'],
  [15, 'SIGTERM'],
]);

/** Shells and boxes return 128 plus the number of a signal; other programs may use such a code for anything. */
function exitText(code: number): string {
  const signal = SIGNALS.get(code - 128);
  return `exit code ${code}${signal === undefined ? '' : `, as after ${signal}`}`;
}

function agentError(how: string, { report, errorTail }: Pick<Attempt, 'report' | 'errorTail'>): Judgement {
  const reported = report.errors.at(-1) ?? lastWords(report, errorTail);
  const message = reported === null ? how : `${how}: ${reported}`;
  return { verdict: { kind: 'agent_error', message }, cause: `The agent failed (${bare(message)}).` };
}

/** Returns the last error on standard error for an agent that never got to work. After work, standard error has noise. */
function lastWords(report: AgentReport, errorTail: string): string | null {
  if (report.toolCalls > 0 || report.finalMessage.trim() !== '') return null;
  // A secret that a shortened line cuts wouldn't be found in it.
  return lastErrorIn(redact(stripControl(errorTail), [])) || null;
}

function bare(message: string): string {
  const text = message.trim();
  return text.endsWith('.') ? text.slice(0, -1) : text;
}

function ended(message: string): string {
  return /[.?!]$/.test(message.trim()) ? message.trim() : `${message.trim()}.`;
}
