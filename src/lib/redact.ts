export type TokenForm = {
  /** As messages name it, such as "GitHub token". */
  readonly kind: string;
  /** With the flags `dg`. Where it has a group named `secret`, that alone is the secret. */
  readonly pattern: RegExp;
};

/**
 * Tokens that a service issued, recognised by their form alone: text of these forms is hardly ever anything else. Each repetition
 * is bounded or cannot overlap with its neighbours, so that hostile text stays cheap.
 */
export const TOKEN_FORMS: readonly TokenForm[] = [
  { kind: 'Anthropic key', pattern: /\bsk-ant-[\w-]{16,}/dg },
  { kind: 'API key', pattern: /\bsk-(?:proj|svcacct|admin|or|lf)-[\w-]{16,}/dg },
  // OpenAI and others that share the form.
  { kind: 'API key', pattern: /\bsk-[A-Za-z0-9]{20,}/dg },
  { kind: 'Stripe key', pattern: /\b(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}/dg },
  { kind: 'GitHub token', pattern: /\bgh[pousr]_[A-Za-z0-9]{20,}/dg },
  { kind: 'GitHub token', pattern: /\bgithub_pat_\w{22,}/dg },
  { kind: 'GitLab token', pattern: /\bgl(?:pat|ptt|dt|rt|cbt|soat)-[\w-]{20,}/dg },
  { kind: 'AWS access key', pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/dg },
  { kind: 'Google API key', pattern: /\bAIza[\w-]{35}/dg },
  { kind: 'Google access token', pattern: /\bya29\.[\w-]{20,}/dg },
  { kind: 'DigitalOcean token', pattern: /\bdo[opr]_v1_[a-f0-9]{64}\b/dg },
  { kind: 'Slack token', pattern: /\bxox[a-z]-[A-Za-z0-9-]{10,}/dg },
  { kind: 'Slack token', pattern: /\bxapp-\d-[A-Za-z0-9-]{10,}/dg },
  { kind: 'Slack webhook', pattern: /\bhooks\.slack\.com\/services\/(?<secret>[\w/]{20,})/dg },
  { kind: 'npm token', pattern: /\bnpm_[A-Za-z0-9]{36,}/dg },
  { kind: 'PyPI token', pattern: /\bpypi-[\w-]{50,}/dg },
  { kind: 'Hugging Face token', pattern: /\bhf_[A-Za-z0-9]{30,}/dg },
  { kind: 'API key', pattern: /\b(?:gsk|xai)[_-][A-Za-z0-9]{40,}/dg },
  { kind: 'SendGrid key', pattern: /\bSG\.[\w-]{16,32}\.[\w-]{32,64}/dg },
];

/** What stands in the place of a secret. */
export const REDACTED = '[redacted]';

/** Shorter values are too common in ordinary text to be hidden wherever they occur. */
const SHORTEST_GIVEN_SECRET = 4;
/** Shortest value of a secret-named variable: `true`, `1` or `none` are settings, not secrets. */
const SHORTEST_ENV_SECRET = 8;

/**
 * Secrets that are recognised by their form or by the text around them. Where a pattern has a group named `secret`, that
 * alone is hidden. Each repetition is bounded or cannot overlap with its neighbours, so that hostile output stays cheap.
 */
const PATTERNS: readonly RegExp[] = [
  ...TOKEN_FORMS.map(({ pattern }) => pattern),
  /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----|$)/dg,
  // JSON web tokens: header and payload are base64 of `{"`.
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?/dg,
  // HTTP headers.
  /\bauthorization["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer|basic|token)\s{1,4}(?<secret>[\w.~+/=-]{8,})/dgi,
  /\bbearer\s{1,4}(?<secret>[\w.~+/=-]{20,})/dgi,
  /\bx-api-key["']?\s{0,4}[:=]\s{0,4}["']?(?<secret>[\w.~+/=-]{8,})/dgi,
  // Passwords in URLs.
  /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@'"]{0,100}:(?<secret>[^\s/@'"]{1,200})@/dgi,
  // Lines of an environment file, and members of a JSON document.
  /\b[A-Z0-9_]{0,40}(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_KEY|PRIVATE_KEY)=["']?(?<secret>(?!process\.env|os\.environ|import\.meta)[^\s'"`$(){}<>;,]{8,})/dg,
  /"(?:password|passwd|client_?secret|secret_?key|api_?key|access_?token|refresh_?token|private_?key)"\s{0,4}:\s{0,4}"(?<secret>[^"\s]{8,})"/dgi,
];

type Span = { readonly start: number; readonly end: number };

/** What one pass uncovers, such as a value that is long enough by now, the next one hides. */
const MOST_PASSES = 4;

/**
 * Hides secrets in text that is shown, notified or reported: what looks like a token of a common kind, and every
 * occurrence of the given values, also in their JSON, URL and base64 spelling. Redacting twice changes nothing more.
 */
export function redact(text: string, secrets: readonly string[]): string {
  return redactor(secrets)(text);
}

/** `redact` for many texts: the spellings of the secrets are worked out once. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const given = secrets.filter((secret) => secret.trim().length >= SHORTEST_GIVEN_SECRET);
  const forms = new Set(given.flatMap(spellings).filter((form) => !REDACTED.includes(form)));
  return (text) => {
    let shown = text;
    for (let pass = 0; pass < MOST_PASSES; pass += 1) {
      const before = shown;
      shown = hide(before, [...patternSpans(before), ...[...forms].flatMap((form) => spansOf(before, form))]);
      if (shown === before) break;
    }
    return shown;
  };
}

function hide(text: string, spans: Span[]): string {
  if (spans.length === 0) return text;
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  let output = '';
  let position = 0;
  for (const { start, end } of spans) {
    // Overlapping finds are one secret: what the first left over goes with it.
    if (start >= position) output += text.slice(position, start) + REDACTED;
    position = Math.max(position, end);
  }
  return output + text.slice(position);
}

function patternSpans(text: string): Span[] {
  const spans: Span[] = [];
  for (const pattern of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.groups?.secret ?? match.indices?.[0] ?? [0, 0];
      if (end > start && text.slice(start, end) !== REDACTED) spans.push({ start, end });
    }
  }
  return spans;
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

/** In base64, also as a part of more (`user:password`): each of the three positions that it can begin at. */
function base64Spellings(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  if (bytes.length < SHORTEST_ENV_SECRET) return [];
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return [0, 1, 2].flatMap((shift) => {
    // Only characters that hold nothing but bits of the secret.
    const from = Math.ceil((8 * shift) / 6);
    const to = Math.floor((8 * (shift + bytes.length)) / 6);
    const form = btoa('\0'.repeat(shift) + text).slice(from, to);
    return [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

const SECRET_NAME =
  /(SECRET|PASSWORD|PASSWD|PASSPHRASE|TOKEN|API_?KEY|PRIVATE_?KEY)(_|$)|(^|_)(PASS|AUTH|CREDENTIALS?)(_|$)|(^|_)KEY$|_PWD$/;
/** Names that speak of a secret and hold something else: where it lies, whose it is, how long it lives. */
const NOT_THE_SECRET =
  /_(FILE|PATH|DIR|SOCK|SOCKET|URL|URI|HOST|PORT|USER|USERNAME|NAME|ID|TYPE|METHOD|MODE|TTL|EXPIRES?|LIMIT|HELPER)$/;
/** Values that are settings, however their variable is named: hiding these words would garble ordinary text. */
const NO_SECRET = /^(undefined|disabled|required|optional|localhost|password|keychain|plaintext)$/i;

/** Whether what has this name (a variable, an option, a member of an object) is meant to be kept secret. */
export function isSecretName(name: string): boolean {
  const upper = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toUpperCase();
  return SECRET_NAME.test(upper) && !NOT_THE_SECRET.test(upper);
}

/** Values of variables that are named like secrets and are at least 8 characters long, without repetition. */
export function secretsFromEnv(env: Readonly<Record<string, string | undefined>>): string[] {
  const values = new Set<string>();
  for (const [name, value] of Object.entries(env)) {
    const upper = name.toUpperCase();
    if (value === undefined || value.trim().length < SHORTEST_ENV_SECRET) continue;
    if (NO_SECRET.test(value.trim())) continue;
    if (SECRET_NAME.test(upper) && !NOT_THE_SECRET.test(upper)) values.add(value.trim());
  }
  return [...values];
}

/** A name and a password, or a token, in an address. */
const USER_INFO = /([a-z][a-z0-9+.-]*:\/\/)[^/@\s"'<>]*@/gi;
/** `name = value`, `name: value`, `name value`; the name may be quoted, or end an address (`//host/:_authToken`). */
const ASSIGNED = /^[\s\-{,]*["']?([\w./:@$\-[\]()]*[\w\])])["']?\s*[=:\s]\s*\S/;
const ELEMENTS =
  /<(packageSourceCredentials|apikeys|password|passphrase|privateKey|username|token|cleartextpassword)\b[^>]*>[\s\S]*?<\/\1\s*>|<add\s[^>]*key="[^"]*(?:password|token|apikey)[^"]*"[^>]*>/gi;

/**
 * Settings of a tool without what signs in: lines that set something named like a secret or hold a token are cut, elements of XML
 * likewise, and names and passwords in addresses.
 */
export function withoutSecrets(text: string): string {
  const bare = text.replace(USER_INFO, '$1');
  if (bare.trimStart().startsWith('<')) return bare.replace(ELEMENTS, '');
  return bare
    .split('\n')
    .filter((line) => !isSecretLine(line))
    .join('\n');
}

function isSecretLine(line: string): boolean {
  if (TOKEN_FORMS.some(({ pattern }) => new RegExp(pattern.source).test(line))) return true;
  const name = ASSIGNED.exec(line)?.[1];
  // `//registry.example.com/:_authToken`, `systemProp.https.proxyPassword`: the last part is what it is called.
  return name?.split(/[./:@]/).some(isSecretName) ?? false;
}
