const REDACTED = '[redacted]';

/** Shorter values are too common in ordinary text to be hidden wherever they occur. */
const SHORTEST_GIVEN_SECRET = 4;
/** Shortest value of a secret-named variable: `true`, `1` or `none` are settings, not secrets. */
const SHORTEST_ENV_SECRET = 8;

/**
 * Token kinds that can be told by their form. Where a pattern has a group named `secret`, that alone is hidden.
 * Each repetition is bounded or cannot overlap with its neighbours, so that hostile output stays cheap.
 */
const PATTERNS: readonly RegExp[] = [
  /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----|$)/dg,
  // OpenAI, Anthropic and others that share the `sk-` form; Stripe.
  /\bsk-(?:ant|proj|svcacct|admin|or|lf)-[\w-]{16,}/dg,
  /\bsk-[A-Za-z0-9]{20,}/dg,
  /\b(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}/dg,
  // GitHub, GitLab.
  /\bgh[pousr]_[A-Za-z0-9]{20,}/dg,
  /\bgithub_pat_\w{22,}/dg,
  /\bgl(?:pat|ptt|dt|rt|cbt|soat)-[\w-]{20,}/dg,
  // Cloud providers.
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/dg,
  /\bAIza[\w-]{35}/dg,
  /\bya29\.[\w-]{20,}/dg,
  /\bdo[opr]_v1_[a-f0-9]{64}\b/dg,
  // Slack tokens and webhooks.
  /\bxox[a-z]-[A-Za-z0-9-]{10,}/dg,
  /\bxapp-\d-[A-Za-z0-9-]{10,}/dg,
  /\bhooks\.slack\.com\/services\/(?<secret>[\w/]{20,})/dg,
  // Package registries, model hosts, mail.
  /\bnpm_[A-Za-z0-9]{36,}/dg,
  /\bpypi-[\w-]{50,}/dg,
  /\bhf_[A-Za-z0-9]{30,}/dg,
  /\b(?:gsk|xai)[_-][A-Za-z0-9]{40,}/dg,
  /\bSG\.[\w-]{16,32}\.[\w-]{32,64}/dg,
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

/**
 * Hides secrets in text that is shown, notified or reported: what looks like a token of a common kind, and every
 * occurrence of the given values, also in their JSON and URL spelling. Redacting twice changes nothing more.
 */
export function redact(text: string, secrets: readonly string[]): string {
  const spans = [...patternSpans(text), ...secrets.flatMap((secret) => valueSpans(text, secret))];
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

function valueSpans(text: string, secret: string): Span[] {
  if (secret.trim().length < SHORTEST_GIVEN_SECRET) return [];
  const spans: Span[] = [];
  for (const form of spellings(secret)) {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
      spans.push({ start: at, end: at + form.length });
    }
  }
  return spans;
}

function spellings(secret: string): Set<string> {
  // Half a surrogate pair has no URL spelling.
  const url = /\p{Surrogate}/u.test(secret) ? secret : encodeURIComponent(secret);
  return new Set([secret, JSON.stringify(secret).slice(1, -1), url]);
}

const SECRET_NAME =
  /(SECRET|PASSWORD|PASSWD|PASSPHRASE|TOKEN|API_?KEY|PRIVATE_?KEY)(_|$)|(^|_)(PASS|AUTH|CREDENTIALS?)(_|$)|(^|_)KEY$|_PWD$/;
/** Names that speak of a secret and hold something else: where it lies, whose it is, how long it lives. */
const NOT_THE_SECRET =
  /_(FILE|PATH|DIR|SOCK|SOCKET|URL|URI|HOST|PORT|USER|USERNAME|NAME|ID|TYPE|METHOD|MODE|TTL|EXPIRES?|LIMIT|HELPER)$/;
/** Values that are settings, however their variable is named: hiding these words would garble ordinary text. */
const NO_SECRET = /^(undefined|disabled|required|optional|localhost|password|keychain|plaintext)$/i;

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
