import { namedSpans, REDACTED, type Span } from './secrets/named.ts';
import { isSecretName } from './secrets/names.ts';
import { ANY_TOKEN, WEBHOOKS } from './secrets/token-forms.ts';
import { isPlaceholder, isWordOfSettings, looksRandom } from './secrets/values.ts';

/** Shorter values occur too often in ordinary text. */
const SHORTEST_GIVEN_SECRET = 4;
/** Minimum length of a secret-named variable's value: `true`, `1` or `none` are settings. */
const SHORTEST_ENV_SECRET = 8;

const TOKENS = new RegExp(ANY_TOKEN, 'g');
/** JSON web tokens, whose header and payload are base64 of `{"`. */
const JWT = /(?<![\w-])eyJ[\w-]{8,4000}\.eyJ[\w-]{8,4000}(?:\.[\w-]{0,800})?/g;
const BEARER = /\bbearer\s{1,4}(?<secret>[\w.~+/=-]{20,800})/gi;
/** User name, password, or both in an address. */
const ADDRESS = /:\/\/(?<user>[^\s/@:'"<>\\?#]{0,200})(?::(?<secret>[^\s/'"<>\\]{1,300}))?@(?=[\w[])/g;
const SIGNATURE = /[?&;](?:[\w-]{0,30}signature|sig|code)=(?<secret>[^&\s"'<>\\#]{12,2000})/gi;
/** curl's `-u user:password` and similar. */
const USER =
  /(?<![\w-])(?:-u|-U|--(?:proxy-)?user)(?:[ \t]{1,4}|=)\\{0,3}["']?[^\s:"'/\\]{1,100}:(?<secret>[^\s"'\\]{3,200})/g;
/** curl's `-b name=value`, a cookie. */
const COOKIE_OPTION = /(?<![\w-])-b[ \t]{0,4}\\{0,3}["']?[\w.-]{1,60}=(?<secret>[^;,\s"'\\]{8,2000})/g;
/** Passwords that programs and formats have at a place of their own, without a name. */
const AT_THEIR_PLACE = [
  /\bidentified[ \t]{1,4}by[ \t]{1,4}\\{0,3}["'](?<secret>[^\s"'\\]{3,200})/gi,
  /\b(?:https?|xh|xhs)[ \t][^\n|;&]{0,200}?-a[ \t]{0,4}["']?[\w.@-]{1,100}:(?<secret>[^\s"'\\]{3,200})/g,
  /\b(?:unzip|zip|7z\w?|7zz)[ \t][^\n|;&]{0,200}?-[pP][ \t]?["']?(?<secret>[^\s"'\\]{3,200})/g,
  /\b(?:ssh-keygen[ \t][^\n|;&]{0,200}?-[NP]|openssl[ \t]enc[ \t][^\n|;&]{0,200}?-k|(?:gh|glab)[ \t](?:secret|variable)[ \t]set[ \t][^\n|;&]{0,200}?(?:-b|--body|-v))[ \t]{1,4}["']?(?<secret>[^\s"'\\]{3,200})/g,
  /\blftp[ \t][^\n|;&]{0,200}?-u[ \t]{0,4}["']?[^\s,"']{1,100},(?<secret>[^\s"'\\]{3,200})/g,
  /\bsmb\w{2,10}[ \t][^\n|;&]{0,200}?-U[ \t]{0,4}["']?[^\s%"']{1,100}%(?<secret>[^\s"'\\]{3,200})/g,
  /(?:\b(?:sqlplus|sqlldr|expdp|impdp|rman)[ \t](?:-\w{1,10}[ \t])?|jdbc:oracle:\w{2,5}:)["']?\w{1,60}\/(?<secret>[^\s"'@/\\]{3,200})@/g,
  /\brabbitmqctl[ \t](?:[^\n|;&]{0,80}[ \t])?(?:add_user|change_password)[ \t]{1,4}\S{1,80}[ \t]{1,4}["']?(?<secret>[^\s"'\\]{3,200})/g,
  /\b(?:echo|printf)[ \t]{1,4}(?:-\w[ \t]{1,4})?["']?(?<secret>[^\s"'\\|]{3,200})["']?[ \t]{0,4}\|[^\n|;&]{0,200}(?:--password-stdin|\bsudo[ \t]+-S\b)/g,
  /^[\w.*-]{1,200}:(?:\d{1,5}|\*):[^:\s]{1,60}:[^:\s]{1,60}:(?<secret>[^:\s]{12,200})$/gm,
  /"(?:d|k|p|q|dp|dq|qi)"[ \t]{0,4}:[ \t]{0,4}"(?<secret>[\w-]{40,2000})"/g,
  /"value"[ \t]{0,4}:[ \t]{0,4}"(?<secret>[^\s"\\]{12,2000})"[ \t]{0,4},\s{0,80}"(?:name|key)"[ \t]{0,4}:[ \t]{0,4}"\w{0,60}(?:password|secret|token|key)"/gi,
  /\bPrivate-Lines: \d{1,3}\r?\n(?<secret>(?:[A-Za-z0-9+/=]{1,80}\r?\n){1,200})/g,
];
/** One-letter password options by program. */
const SHORT_OPTION = [
  /\b(?:mysql|mariadb)[\w-]{0,20}(?=[ \t])[^\n|;&]{0,300}?[ \t]-p["']?(?<secret>[^\s"'\\]{3,200})/g,
  /\b(?:sshpass|redis-cli|mongo\w{0,8}|ldap\w{1,12}|(?:docker|podman|helm|az|oc|skopeo|buildah|crane|oras)[ \t][^\n|;&]{0,80}?\blogin)\b[^\n|;&]{0,200}?[ \t]-[paw][ \t]{0,4}["']?(?<secret>[^\s"'\\-][^\s"'\\]{3,200})/g,
];

const KEY_BEGINS = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_ENDS = /-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
/** Body of a key: base64 lines, also in strings, and headers before them. */
const KEY_BODY =
  /^(?:(?:\\[nr]|[\s"'`+,|>])*(?:[A-Za-z-]{2,20}: [\w,. ()+-]{1,100}(?=\\n|\r?\n)|[A-Za-z0-9+/]{16,}={0,2}))+(?:(?:\\[nr]|\s){1,4}[A-Za-z0-9+/]{1,15}={0,2}(?=\s|\\n|["'`]|$))?/;
const LONGEST_KEY = 20_000;

/** One pass may uncover what the next hides, such as a value that became long enough. */
const MOST_PASSES = 8;

/** Hides tokens, values behind secret names, and given values in JSON, URL and base64 spelling, too. Idempotent. */
export function redact(text: string, secrets: readonly string[]): string {
  return redactor(secrets)(text);
}

/** Prepares the spellings of secrets once for many texts. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = formsOf(secrets);
  return (text) => redacted(text, forms).text;
}

/** Number of bytes around a place that decide whether it is hidden, but for longer given secrets: the longest key's. */
const REACH = 32 * 1024;

/** Redacts bytes as latin1 text without losing any. @returns The text, and a map from old offsets to new ones. */
export function byteRedactor(secrets: readonly string[]) {
  const bytes = (form: string) =>
    Array.from(new TextEncoder().encode(form), (byte) => String.fromCharCode(byte)).join('');
  const forms = formsOf(secrets).map(bytes);
  const hide = (text: string): Redacted => redacted(text, forms);
  return Object.assign(hide, { reach: forms.reduce((most, { length }) => Math.max(most, length), REACH) });
}

type Redacted = { readonly text: string; readonly at: (offset: number) => number };

function formsOf(secrets: readonly string[]): string[] {
  const given = secrets.filter((secret) => secret.trim().length >= SHORTEST_GIVEN_SECRET);
  return [...new Set(given.flatMap(spellings).filter((form) => !REDACTED.includes(form)))];
}

function redacted(given: string, forms: readonly string[]): Redacted {
  let text = given;
  const passes: (readonly Span[])[] = [];
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const found = [...spansIn(text), ...forms.flatMap((form) => spansOf(text, form))];
    const spans = merged(text, found);
    if (spans.length === 0) break;
    passes.push(spans);
    text = withoutSpans(text, spans);
  }
  return { text, at: moving(passes) };
}

/** A function of its own, so that its result doesn't keep the text in memory. */
function moving(passes: readonly (readonly Span[])[]): Redacted['at'] {
  return (offset) => passes.reduce(movedBy, offset);
}

/** Merges overlapping matches and skips text that is already hidden. */
function merged(text: string, found: Span[]): Span[] {
  const sorted = found.sort((a, b) => a.start - b.start || b.end - a.end);
  const spans: { start: number; end: number }[] = [];
  for (const { start, end } of sorted) {
    const last = spans.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else spans.push({ start, end });
  }
  return spans.filter(({ start, end }) => end > start && text.slice(start, end) !== REDACTED);
}

function withoutSpans(text: string, spans: readonly Span[]): string {
  let position = 0;
  const parts: string[] = [];
  for (const { start, end } of spans) {
    parts.push(text.slice(position, start), REDACTED);
    position = end;
  }
  return parts.join('') + text.slice(position);
}

function movedBy(offset: number, spans: readonly Span[]): number {
  let moved = offset;
  for (const { start, end } of spans) {
    if (offset <= start) break;
    moved += offset < end ? start - offset : REDACTED.length - (end - start);
    if (offset < end) break;
  }
  return moved;
}

function spansIn(text: string): Span[] {
  const spans = [...keySpans(text), ...namedSpans(text)];
  for (const pattern of [TOKENS, JWT]) {
    for (const { index, 0: token } of text.matchAll(pattern))
      spans.push({ start: index, end: endOfToken(text, index + token.length) });
  }
  const add = (pattern: RegExp, isSecret: (secret: string, match: RegExpMatchArray) => boolean) => {
    for (const match of text.matchAll(pattern)) {
      const { secret } = match.groups ?? {};
      if (secret === undefined || !isSecret(secret, match)) continue;
      const start = match.index + match[0].lastIndexOf(secret);
      spans.push({ start, end: endOfToken(text, start + secret.length) });
    }
  };
  const isValue = (secret: string) => secret !== REDACTED && !isPlaceholder(secret);
  for (const { pattern } of WEBHOOKS) add(pattern, () => true);
  add(BEARER, isValue);
  add(SIGNATURE, (secret) => looksRandom(secret) || /^[0-9a-f]{32,}$/i.test(secret));
  add(COOKIE_OPTION, looksRandom);
  // docker's user and group aren't user and password.
  add(USER, (secret) => isValue(secret) && /[^a-z_-]/.test(secret));
  for (const pattern of SHORT_OPTION) add(pattern, isValue);
  for (const pattern of AT_THEIR_PLACE) add(pattern, (secret) => looksRandom(secret.trim()));
  for (const { index, groups: { user = '', secret } = {} } of text.matchAll(ADDRESS)) {
    const start = index + 3;
    if (looksRandom(user)) spans.push({ start, end: start + user.length });
    const behind = start + user.length + 1;
    if (secret !== undefined && !/^(?:\$|<|\{|\*+$)/.test(secret))
      spans.push({ start: behind, end: behind + secret.length });
  }
  return spans;
}

/** Patterns have a length limit; the token continues to the next break. */
function endOfToken(text: string, at: number): number {
  let end = at;
  while (isOfToken(text.charCodeAt(end))) end += 1;
  return end;
}

function isOfToken(code: number): boolean {
  return (
    (code > 47 && code < 58) ||
    (code > 64 && code < 91) ||
    (code > 96 && code < 123) ||
    code === 95 ||
    code === 45
  );
}

/** Finds private keys with their bodies, each up to the next beginning; a header alone is only text. */
function keySpans(text: string): Span[] {
  const begins = [...text.matchAll(KEY_BEGINS)];
  const ends = [...text.matchAll(KEY_ENDS)].map(({ index, 0: mark }) => ({
    start: index,
    end: index + mark.length,
  }));
  const spans: Span[] = [];
  let next = 0;
  for (const [at, { index, 0: mark }] of begins.entries()) {
    const from = index + mark.length;
    const until = Math.min(begins[at + 1]?.index ?? text.length, from + LONGEST_KEY);
    while (ends[next] !== undefined && (ends[next]?.start ?? 0) < from) next += 1;
    const end = ends[next];
    if (end !== undefined && end.start < until && isOneString(text.slice(from, end.start)))
      spans.push({ start: index, end: end.end });
    else {
      const body = KEY_BODY.exec(text.slice(from, until))?.[0] ?? '';
      if (body !== '') spans.push({ start: index, end: from + body.length });
    }
  }
  for (const { start, end } of ends) {
    const from = beginOfRest(text, start);
    if (from < start) spans.push({ start: from, end });
  }
  return spans;
}

/** A key with line ends written as `\n` ends on its first line. */
function isOneString(inner: string): boolean {
  return !/^\\+[nr]/.test(inner) || !inner.includes('\n');
}

/** Returns where the rest of a key without its first lines begins; `at` when there is none. */
function beginOfRest(text: string, at: number): number {
  let begin = at;
  for (let lines = 0; lines < 80; lines += 1) {
    const [line = ''] =
      /[A-Za-z0-9+/=]{1,100}(?:\r?\n|\\n|\s)$/.exec(text.slice(Math.max(0, begin - 104), begin)) ?? [];
    // The last line may be short.
    if (line === '' || (lines > 0 && line.length < 16)) break;
    begin -= line.length;
  }
  return begin;
}

function spansOf(text: string, form: string): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
    spans.push({ start: at, end: at + form.length });
  }
  return spans;
}

function spellings(secret: string): string[] {
  // Half a surrogate pair has no URL spelling.
  const url = /\p{Surrogate}/u.test(secret) ? secret : encodeURIComponent(secret);
  return [secret, JSON.stringify(secret).slice(1, -1), url, ...base64Spellings(secret)];
}

/** Returns base64 spellings at the three possible positions within a longer text (`user:password`). */
function base64Spellings(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  if (bytes.length < SHORTEST_ENV_SECRET) return [];
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return [0, 1, 2].flatMap((shift) => {
    // The first and last characters of base64 mix the secret's bits with those of its neighbours, so they are left out.
    const from = Math.ceil((8 * shift) / 6);
    const to = Math.floor((8 * (shift + bytes.length)) / 6);
    const form = btoa('\0'.repeat(shift) + text).slice(from, to);
    return [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Returns distinct values of at least 8 characters of secret-named variables. */
export function secretsFromEnv(env: Readonly<Record<string, string | undefined>>): string[] {
  const values = new Set<string>();
  for (const [name, value = ''] of Object.entries(env)) {
    const text = value.trim();
    // Hiding common words would garble ordinary text.
    if (text.length >= SHORTEST_ENV_SECRET && isSecretName(name) && !isWordOfSettings(text)) values.add(text);
  }
  return [...values];
}
