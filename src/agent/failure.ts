import type { AgentErrorCause, AgentEvent } from '../domain/agent.ts';
import { resetTime } from './reset-time.ts';

type Failure = {
  /** HTTP status where the agent reports it as a field. */
  readonly status: number | null;
  readonly message: string;
  /** What the agent calls the error (`rate_limit`, `authentication`), where it does; else empty. */
  readonly name?: string;
  readonly fatal: boolean;
  /** When the line was written, epoch milliseconds; `null` where the line doesn't have it. */
  readonly at?: number | null;
  /** A reset time that came as a field, ISO 8601 UTC. */
  readonly resetsAt?: string | null;
};

const MESSAGE_LIMIT = 2000;

/** The events of one structured error: the error itself, and a limit before it when a limit ends the attempt. */
export function failureEvents(failure: Failure): readonly AgentEvent[] {
  const message = failure.message.slice(0, MESSAGE_LIMIT);
  const cause = errorCause(failure.status, `${failure.name ?? ''} ${message}`);
  const error: AgentEvent = { kind: 'error', cause, message, fatal: failure.fatal };
  if (cause !== 'rate_limited' || !failure.fatal) return [error];
  const resetsAt = failure.resetsAt ?? resetTime(message, failure.at ?? null);
  return [{ kind: 'limit', message, resetsAt }, error];
}

/**
 * What an API error comes from: its status first, then a status written in the message, then its words. Only for
 * messages of structured error events, never for the agent's prose.
 */
export function errorCause(status: number | null, message: string): AgentErrorCause {
  const known = causeOfStatus(status ?? statusInMessage(message));
  if (known !== null) return known;
  return CAUSE_BY_WORDS.find(([words]) => words.test(message))?.[1] ?? 'other';
}

function causeOfStatus(status: number | null): AgentErrorCause | null {
  if (status === null) return null;
  if (status === 401 || status === 403) return 'auth';
  // 402: the account has no credit left; like a usage limit, it is fixed outside of the work.
  if (status === 429 || status === 402) return 'rate_limited';
  if (status === 408 || (status >= 500 && status <= 599)) return 'outage';
  return status >= 400 && status <= 499 ? 'other' : null;
}

function statusInMessage(message: string): number | null {
  const found =
    /\b(?:status(?: code)?|HTTP|code)["']?\s*:?\s*(\d{3})\b/i.exec(message) ?? /\((\d{3})\)/.exec(message);
  return found ? Number(found[1]) : null;
}

const CAUSE_BY_WORDS: readonly (readonly [RegExp, AgentErrorCause])[] = [
  [
    /rate.?limit|usage.?limit|quota|too many requests|resource.?exhausted|hit your .{0,30}limit/i,
    'rate_limited',
  ],
  [
    /unauthori[sz]ed|unauthenticated|authentication|forbidden|not logged in|\/login|(invalid|missing|incorrect|expired).{0,12}(key|token|credential)/i,
    'auth',
  ],
  [
    /high demand|overloaded|server.?error|service.?unavailable|bad gateway|gateway.?time.?out|(could not|unable to) connect|connect(ion)? ?(failed|refused|reset|error|closed|timed out)|stream disconnected|network error|waiting for network|fetch failed|socket hang up|error sending request|\bE(CONN[A-Z]+|TIMEDOUT|NOTFOUND|AI_AGAIN)\b|API Error: terminated/i,
    'outage',
  ],
];
