import { isLimit, type ServiceKind } from './event.ts';

/** A program's report about its service, from a channel that its model can't write to. */
export type ServiceAnswer = {
  /** HTTP status, when reported as a field. */
  readonly status: number | null;
  /** Program's name of the error (`rate_limit`, `authentication`), or empty. */
  readonly name?: string;
  readonly words: string;
  /** Rows of the program itself, which come before all others. */
  readonly own?: readonly AnswerRow[] | undefined;
};

/** What an answer of a service means: the kind of those that match. */
export type AnswerRow = {
  /** Statuses that match, `null` meaning unknown. Absent: any, or none. */
  readonly status?: readonly (number | null)[] | ((status: number | null) => boolean);
  readonly words?: RegExp;
  /** `other`: caused by the work, or unknown. */
  readonly kind: ServiceKind | 'other';
  /** Whether only programs that talk to a model's service say this, so that no other text is meant. */
  readonly sure?: true;
};

const hundred = (...hundreds: readonly number[]) => {
  return (status: number | null) => status !== null && hundreds.includes(Math.floor(status / 100));
};
/** Statuses of refused requests; a failing service has others. */
const REFUSED = [null, 400, 402, 403, 404, 413, 422, 451] as const;

/**
 * Kinds of service answers; the first matching row counts. Words that outweigh a status come first, as services
 * answer 400 for keys, models and empty accounts alike.
 */
export const SERVICE_ANSWERS: readonly AnswerRow[] = [
  // An HTML page comes from a proxy or a network's sign-in; a service refuses in its own format.
  {
    status: (status) => status !== 401 && status !== 429,
    words: /<!doctype html|<html[\s>]|\b(?:an HTML page|blocked by a (?:gateway|proxy|firewall))\b/i,
    kind: 'outage',
  },
  { status: [400, 402, 403, 429, null], words: /request allowance/i, kind: 'rate_limited' },
  {
    status: [429, null],
    words: /\brate limit reached for \S.{0,200} on \w+ per |would exceed (?:your|the) .{0,40}\brate limit/i,
    kind: 'rate_limited',
    sure: true,
  },
  {
    status: [400, 402, 403, 429, null],
    words: /reached your specified .{0,20}usage limit|\bspend(?:ing)? (?:limit|cap)\b/i,
    kind: 'rate_limited',
    sure: true,
  },
  {
    status: [400, 402, 403, 429, null],
    words:
      /credit balance is too low|insufficient[_ ](?:quota|credits?|balance|funds)|\b(?:no|out of|not enough|used up all .{0,20}) credits?\b|credits? (?:have|has|are|is) (?:been )?(?:used up|exhausted|depleted)|prepayment credits|Quota exceeded\. Check your plan|current quota, please check your plan and billing details\.(?! .{0,200}(?:quota metric|Quota exceeded for))|payment required/is,
    kind: 'credit',
    sure: true,
  },
  {
    status: [...REFUSED, 401],
    words:
      /api[ _]key not valid|API_KEY_INVALID|(?:invalid|incorrect) (?:x-)?api[- ]key|api[ _]key (?:has )?expired|OAuth token (?:has )?(?:expired|been revoked)|authentication_error|did ?n[o']t provide an API key|x-api-key header is required/i,
    kind: 'auth',
    sure: true,
  },
  {
    status: [...REFUSED],
    words:
      /prompt (?:is|was|as) too long|\bcontext(?:[ _](?:length|window|limit|size)\b|[_ ]length[_ ]exceeded| is too large)|maximum context|input is too long|input token count.{0,40}exceeds|input exceeds the (?:maximum|context)|exceeds the maximum (?:length|number of tokens)|request_too_large/i,
    kind: 'context',
    sure: true,
  },
  {
    status: [...REFUSED],
    words:
      /\busage polic(?:y|ies)\b|content[ _](?:filter|policy|management polic)|PROHIBITED_CONTENT|\b(?:cyber|safety)_policy|flagged (?:as|for) (?:potentially|possibly|violating)|violat\w+ .{0,60}\bpolic(?:y|ies)\b|blocked (?:for|by|due to) safety/i,
    kind: 'refused',
    sure: true,
  },
  {
    status: [...REFUSED],
    words:
      /model_not_found|ModelNotFound|(?:unknown|invalid|unsupported|no such) model\b|issue with the selected model|\bmodels?\b[^.]{0,90}\b(?:(?:is |was )?not (?:found|available|supported|exist)|does ?n[o']t exist|no longer (?:available|supported)|(?:was|been|is) (?:retired|deprecated|decommissioned|shut down))|no models? match/i,
    kind: 'model',
    sure: true,
  },

  { status: [401, 403], kind: 'auth' },
  { status: [402], kind: 'credit' },
  { status: [404], kind: 'model' },
  { status: [413], kind: 'context' },
  { status: [429], kind: 'rate_limited' },
  { status: [451], kind: 'refused' },
  // 407 comes from a proxy, a redirection from a network's sign-in.
  { status: [407, 408], kind: 'outage' },
  { status: hundred(3, 5), kind: 'outage' },
  { status: hundred(4), kind: 'other' },

  {
    words:
      /rate.?limit|usage.?limit|quota|too many requests|resource.?exhausted|hit your .{0,30}limit|\b(?:(?:hour|dai|week|month)ly|\d+-(?:hour|day)|session|message|spending|opus|sonnet) limit reached|\blimit reached\b.{0,20}\bresets?\b/i,
    kind: 'rate_limited',
  },
  // A proxy's message looks like one about a sign-in.
  { words: /proxy auth/i, kind: 'outage' },
  {
    words:
      /unauthori[sz]ed|unauthenticated|authentication|forbidden|not logged in|\/login|auth (type|method)\b|no models available|(invalid|missing|incorrect|expired|no).{0,12}(key|token|credential)\b|missing environment variable|must specify the \S+ environment variable/i,
    kind: 'auth',
  },
  // Words of a service that can't be reached, or whose certificate isn't trusted.
  {
    words:
      /(could not|unable to|cannot) connect|connect(ion)? ?(failed|refused|reset|error|closed|timed out|dropped)|network error|waiting for network|fetch failed|socket hang up|socket connection was closed|other side closed|error sending request|API Error: terminated|\bE(CONN[A-Z]+|TIMEDOUT|NOTFOUND|AI_AGAIN|PROTO|PIPE|HOSTUNREACH|NETUNREACH)\b|\bdns\b|lookup address|name resolution|certificate|\b(SSL|TLS)\b|\bERR_(SSL|TLS)_/i,
    kind: 'outage',
  },
  {
    words:
      /high demand|overloaded|server.?error|server had an error|internal error has occurred|service.?unavailable|bad gateway|gateway.?time.?out|failed to get response|retried \d+ times/i,
    kind: 'outage',
  },
  // Incomplete, empty or malformed answers.
  {
    words:
      /stream (disconnected|closed|ended|error)|premature close|(empty or )?malformed response|empty response|request ended without|without (a )?finish.?reason|error decoding response|failed to (finalize|parse) .{0,40}stream|response body was not|non-SSE response|(unterminated|unexpected|incomplete|invalid).{0,24}\bJSON\b|\bJSON\b.{0,12}(parse|pars)|not valid JSON|malformed .{0,24}\bJSON\b|EOF while parsing/i,
    kind: 'outage',
  },
];

/** Patterns of an HTTP status within a message's words. */
const WRITTEN = [
  /"message":"(\d{3})\b/,
  /\b(?:status(?: code)?|HTTP|code|API Error)["']?\s*:?\s*(\d{3})\b/i,
  /\((\d{3})\)/,
] as const;

/** Returns the status from the field or the words; `null` without one. */
export function statusOf(status: number | null, words: string): number | null {
  const written = WRITTEN.flatMap((form) => form.exec(words)?.[1] ?? [])[0];
  return status ?? (written === undefined ? null : Number(written));
}

function rowOf({ status, name = '', words, own = [] }: ServiceAnswer): AnswerRow | null {
  const text = `${name} ${words}`;
  const known = statusOf(status, text);
  const holds = ({ status: statuses, words: wanted }: AnswerRow) =>
    (statuses === undefined ||
      (typeof statuses === 'function' ? statuses(known) : statuses.includes(known))) &&
    (wanted === undefined || wanted.test(text));
  return [...own, ...SERVICE_ANSWERS].find(holds) ?? null;
}

/** Returns an answer's kind; `other` when it says nothing about the service. */
export function serviceKind(answer: ServiceAnswer): ServiceKind | 'other' {
  const kind = rowOf(answer)?.kind ?? 'other';
  return isLimit(kind) ? limitKind(answer.words, null) : kind;
}

/** Whether only a model's service uses such words, so that they also count in other programs' texts. */
export function isSurelyOfService(answer: ServiceAnswer): boolean {
  return rowOf(answer)?.sure === true;
}

/** Words about too many simultaneous requests, which outweigh other words about limits. */
const AT_ONCE =
  /too many requests|slow down|concurren(?:t|cy)|(?:per|a|each|\/)[\s_-]?(?:minute|min|second|sec)\b|\b[RTI]P[MS]\b/i;
/** Words with both meanings, so the time decides. */
const EITHER = /rate.?limit/i;
/** Longest wait for a limit of simultaneous requests. */
const LONGEST_MS = 2 * 60_000;

/**
 * Returns whether a limit is a throttle (requests per minute) or a usage limit (hours or days). @param resetsInMs
 * Milliseconds until its end; `null`: unknown.
 */
export function limitKind(words: string, resetsInMs: number | null): 'throttled' | 'rate_limited' {
  const isShort = resetsInMs === null || resetsInMs <= LONGEST_MS;
  const isAtOnce = AT_ONCE.test(words) || (resetsInMs !== null && EITHER.test(words));
  return isShort && isAtOnce ? 'throttled' : 'rate_limited';
}
