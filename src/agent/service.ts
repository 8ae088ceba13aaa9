import { isLimit, type ServiceKind } from '../domain/service.ts';

/** What a program reports of its service, on a channel where it alone speaks: never the words of its model. */
export type ServiceAnswer = {
  /** Name of the agent's program: a row of the table may hold for one program alone. */
  readonly program: string;
  /** HTTP status where the program reports it as a field. */
  readonly status: number | null;
  /** What the program calls the error (`rate_limit`, `authentication`), where it does; else empty. */
  readonly name?: string;
  readonly words: string;
};

type Row = {
  /** The one program that the row holds for; absent: every program. */
  readonly of?: string;
  /** Statuses for which the row holds, `null`: none is known. Absent: any, and none. */
  readonly status?: readonly (number | null)[] | ((status: number | null) => boolean);
  readonly words?: RegExp;
  /** `other`: the work itself, or nothing that ralph knows. */
  readonly kind: ServiceKind | 'other';
  /** No program but one that talks to a model's service says so. */
  readonly sure?: true;
};

const hundred = (...hundreds: readonly number[]) => {
  return (status: number | null) => status !== null && hundreds.includes(Math.floor(status / 100));
};
/** A request that was refused, or an error without a status: what a service is doing badly has another one. */
const REFUSED = [null, 400, 402, 403, 404, 413, 422, 451] as const;

/**
 * Which answer of a service is of which kind: the first row that holds. Words that outweigh a status come first, as services
 * refuse a key, a model and an empty account with the same 400.
 */
export const SERVICE_ANSWERS: readonly Row[] = [
  // opencode prints nothing else about a model that its own list doesn't have.
  { of: 'opencode', status: [null], words: /\bUnexpected server error\b/, kind: 'model' },

  // A page comes from a proxy, or from a network that wants you to sign in: a service refuses in its own format.
  {
    status: (status) => status !== 401 && status !== 429,
    words: /<!doctype html|<html[\s>]|\b(?:an HTML page|blocked by a (?:gateway|proxy|firewall))\b/i,
    kind: 'outage',
  },
  { status: [400, 402, 403, 429, null], words: /request allowance/i, kind: 'rate_limited' },
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
      /api[ _]key not valid|API_KEY_INVALID|(?:invalid|incorrect) (?:x-)?api[- ]key|api[ _]key (?:has )?expired|OAuth token (?:has )?(?:expired|been revoked)|authentication_error/i,
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
  // 407: a proxy; a redirection: a network that wants you to sign in.
  { status: [407, 408], kind: 'outage' },
  { status: hundred(3, 5), kind: 'outage' },
  { status: hundred(4), kind: 'other' },

  {
    words:
      /rate.?limit|usage.?limit|quota|too many requests|resource.?exhausted|hit your .{0,30}limit|\b(?:(?:hour|dai|week|month)ly|\d+-(?:hour|day)|session|message|spending|opus|sonnet) limit reached|\blimit reached\b.{0,20}\bresets?\b/i,
    kind: 'rate_limited',
  },
  // Its words are those of a sign-in.
  { words: /proxy auth/i, kind: 'outage' },
  {
    words:
      /unauthori[sz]ed|unauthenticated|authentication|forbidden|not logged in|\/login|auth (type|method)\b|no models available|(invalid|missing|incorrect|expired|no).{0,12}(key|token|credential)\b|missing environment variable|must specify the \S+ environment variable/i,
    kind: 'auth',
  },
  // No connection, or none that can be trusted.
  {
    words:
      /(could not|unable to|cannot) connect|connect(ion)? ?(failed|refused|reset|error|closed|timed out|dropped)|network error|waiting for network|fetch failed|socket hang up|socket connection was closed|other side closed|error sending request|API Error: terminated|\bE(CONN[A-Z]+|TIMEDOUT|NOTFOUND|AI_AGAIN|PROTO|PIPE|HOSTUNREACH|NETUNREACH)\b|\bdns\b|lookup address|name resolution|certificate|\b(SSL|TLS)\b|\bERR_(SSL|TLS)_/i,
    kind: 'outage',
  },
  {
    words:
      /high demand|overloaded|server.?error|service.?unavailable|bad gateway|gateway.?time.?out|failed to get response|retried \d+ times/i,
    kind: 'outage',
  },
  // An answer that isn't one: cut, empty, or in no format of the service.
  {
    words:
      /stream (disconnected|closed|ended|error)|premature close|(empty or )?malformed response|empty response|request ended without|without (a )?finish.?reason|error decoding response|failed to (finalize|parse) .{0,40}stream|response body was not|non-SSE response|(unterminated|unexpected|incomplete|invalid).{0,24}\bJSON\b|\bJSON\b.{0,12}(parse|pars)|not valid JSON|malformed .{0,24}\bJSON\b|EOF while parsing/i,
    kind: 'outage',
  },
];

/** A status that stands in the words, where it isn't a field. */
const WRITTEN = [/\b(?:status(?: code)?|HTTP|code|API Error)["']?\s*:?\s*(\d{3})\b/i, /\((\d{3})\)/] as const;

/** The row that an answer is judged by; `null`: none holds. */
function rowOf({ program, status, name = '', words }: ServiceAnswer): Row | null {
  const text = `${name} ${words}`;
  const written = WRITTEN.flatMap((form) => form.exec(text)?.[1] ?? [])[0];
  const known = status ?? (written === undefined ? null : Number(written));
  const holds = ({ of, status: statuses, words: wanted }: Row) =>
    (of === undefined || of === program) &&
    (statuses === undefined ||
      (typeof statuses === 'function' ? statuses(known) : statuses.includes(known))) &&
    (wanted === undefined || wanted.test(text));
  return SERVICE_ANSWERS.find(holds) ?? null;
}

/** What an answer of a service is; `other`: it says nothing of the service. */
export function serviceKind(answer: ServiceAnswer): ServiceKind | 'other' {
  const kind = rowOf(answer)?.kind ?? 'other';
  return isLimit(kind) ? limitKind(answer.words, null) : kind;
}

/** Whether only a model's service uses such words, so that they count in a text that other programs write, too. */
export function isSurelyOfService(answer: ServiceAnswer): boolean {
  return rowOf(answer)?.sure === true;
}

/** Words of a service that had too many requests at once, whatever else it says of limits. */
const AT_ONCE =
  /too many requests|slow down|concurren(?:t|cy)|(?:per|a|each|\/)[\s_-]?(?:minute|min|second|sec)\b|\b[RTI]P[MS]\b/i;
/** Words that stand for both, so that the time decides. */
const EITHER = /rate.?limit/i;
/** The longest that a service asks for which only wants fewer requests at once. */
const LONGEST_MS = 2 * 60_000;

/**
 * Whether a limit is one of requests in a minute, or of what an account may use in hours or days.
 *
 * @param resetsInMs `null`: the service doesn't say when.
 */
export function limitKind(words: string, resetsInMs: number | null): 'throttled' | 'rate_limited' {
  const isShort = resetsInMs === null || resetsInMs <= LONGEST_MS;
  const isAtOnce = AT_ONCE.test(words) || (resetsInMs !== null && EITHER.test(words));
  return isShort && isAtOnce ? 'throttled' : 'rate_limited';
}

/** Lines of standard error with which a program says why it can't begin. */
export const OWN_LINES: Readonly<Partial<Record<string, RegExp>>> = {
  codex: /^(?:Error|ERROR): /,
  copilot: /^Error: /,
  gemini:
    /^(?:Please set an Auth method|Error authenticating|Failed to (?:login|sign in)|When using (?:Gemini API|Vertex AI), you must specify|Error when talking to Gemini API|\[API Error: )/,
  opencode: /^Error: /,
  pi: /^(?:Error: |No API key found|No models? (?:available|match)|Model ")/,
};

/** Lines of standard error about a request that a program sends again; the status in parentheses. */
export const RETRY_LINES: Readonly<Partial<Record<string, RegExp>>> = {
  gemini: /^Attempt \d+ failed with status (\d{3})\. Retrying/,
};

/** Exit codes by which a program says what its service answered; `null`: the code says nothing. */
export function exitAnswer(program: string, code: number): Pick<ServiceAnswer, 'status' | 'words'> | null {
  if (program !== 'gemini') return null;
  if (code === 41) return { status: 401, words: 'gemini ended with 41: no way to sign in is set' };
  // The status of HTTP, of which an exit code keeps the last eight bits: 400 to 511.
  if (code < 144) return null;
  return { status: code + 256, words: `gemini ended with ${code}: HTTP status ${code + 256}` };
}
