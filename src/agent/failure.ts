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
  const inWords = typeof failure.resetsAt !== 'string';
  return [{ kind: 'limit', message, resetsAt, inWords }, error];
}

/**
 * What an API error comes from: its status first, then a status written in the message, then its words. Only for
 * messages of structured error events, never for the agent's prose.
 */
export function errorCause(status: number | null, message: string): AgentErrorCause {
  const written =
    /\b(?:status(?: code)?|HTTP|code|API Error)["']?\s*:?\s*(\d{3})\b/i.exec(message) ??
    /\((\d{3})\)/.exec(message);
  const known = status ?? (written === null ? null : Number(written[1]));
  const cause = known === null ? null : causeOfStatus(known);
  // A service refuses in its own format: a page comes from a proxy or a network that wants you to sign in.
  if (known !== 401 && cause !== 'rate_limited' && PAGE.test(message)) return 'outage';
  if (cause !== null) return cause;
  return CAUSE_BY_WORDS.find(([words]) => words.test(message))?.[1] ?? 'other';
}

const PAGE = /<!doctype html|<html[\s>]|\b(?:an HTML page|blocked by a (?:gateway|proxy|firewall))\b/i;

function causeOfStatus(status: number): AgentErrorCause | null {
  if (status === 401 || status === 403) return 'auth';
  // 402: the account has no credit left; like a usage limit, it is fixed outside of the work.
  if (status === 429 || status === 402) return 'rate_limited';
  // 407: a proxy; a redirection: a network that wants you to sign in. Neither is the service.
  if (status === 408 || status === 407) return 'outage';
  const hundred = Math.floor(status / 100);
  return hundred === 3 || hundred === 5 ? 'outage' : hundred === 4 ? 'other' : null;
}

const CAUSE_BY_WORDS: readonly (readonly [RegExp, AgentErrorCause])[] = [
  [
    /rate.?limit|usage.?limit|quota|too many requests|resource.?exhausted|hit your .{0,30}limit|\b(?:(?:hour|dai|week|month)ly|\d+-(?:hour|day)|session|message|spending|opus|sonnet) limit reached|\blimit reached\b.{0,20}\bresets?\b|request allowance/i,
    'rate_limited',
  ],
  // Its words are those of a sign-in.
  [/proxy auth/i, 'outage'],
  [
    /unauthori[sz]ed|unauthenticated|authentication|forbidden|not logged in|\/login|auth (type|method)\b|no models available|(invalid|missing|incorrect|expired|no).{0,12}(key|token|credential)\b/i,
    'auth',
  ],
  // No connection, or none that can be trusted.
  [
    /(could not|unable to|cannot) connect|connect(ion)? ?(failed|refused|reset|error|closed|timed out|dropped)|network error|waiting for network|fetch failed|socket hang up|socket connection was closed|other side closed|error sending request|API Error: terminated|\bE(CONN[A-Z]+|TIMEDOUT|NOTFOUND|AI_AGAIN|PROTO|PIPE|HOSTUNREACH|NETUNREACH)\b|\bdns\b|lookup address|name resolution|certificate|\b(SSL|TLS)\b|\bERR_(SSL|TLS)_/i,
    'outage',
  ],
  [
    /high demand|overloaded|server.?error|service.?unavailable|bad gateway|gateway.?time.?out|failed to get response|retried \d+ times/i,
    'outage',
  ],
  // An answer that isn't one: cut, empty, or in no format of the service.
  [
    /stream (disconnected|closed|ended|error)|premature close|(empty or )?malformed response|empty response|request ended without|without (a )?finish.?reason|error decoding response|failed to (finalize|parse) .{0,40}stream|response body was not|non-SSE response|(unterminated|unexpected|incomplete|invalid).{0,24}\bJSON\b|\bJSON\b.{0,12}(parse|pars)|not valid JSON|malformed .{0,24}\bJSON\b|EOF while parsing/i,
    'outage',
  ],
];
