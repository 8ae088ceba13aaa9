/**
 * Likelihood that a name's value is secret. `sure`: `dbPassword`, `API_KEY`; `likely`: `auth`, `deployKey`; `maybe`:
 * about secrets in general (`tokens`, `secretName`); `null`: not a secret.
 */
export type NameKind = 'sure' | 'likely' | 'maybe' | null;

const ANYWHERE = 'pass|pwd|psk|secret|token|key|auth|cred|cookie|seed|salt';
/** Words about secrets in a text: anywhere in a name, and `pat` as its last word. */
export const SECRET_WORDS = `${ANYWHERE}|_pat(?![a-z])`;
/** The same in a single word of a name. */
const SECRET_WORD = new RegExp(`${ANYWHERE}|^pat$`);
/** Words that contain such a word by chance. */
const BY_CHANCE =
  /^(?:askpass|oldpwd|authors?|authored|authoring|authority|authorities|authentic|bypass|compass|encompass|trespass|surpass|(?:over|under)pass|passed|passing|passes|passive|passenger|passage|passport|passthrough|tokeni[sz]\w*|secretar\w*|keyboards?|keywords?|keyframes?|keynotes?|keyof|keypress|keydown|keyup|keyv|keyvals?|monkeys?|donkeys?|turkeys?|hockey|whiskey|jockey|hotkeys?|accredited|credits?|incredible|sacred|credo)$/;

const SURE =
  /(?:password|passwd|passphrase|passcode|passwort|pwd|secret|token|psk|(?:api|access|secret|private|account|signing|encryption|auth|master|shared)key)$/;
/** Words before `key` that make it secret. */
const KEY_OF_SECRETS =
  /^(?:api|access|secret|private|account|sign|signing|signature|encryption|encrypt|decryption|master|shared|auth|ssh|deploy|license|session|storage|service|webhook|hmac|aes|admin|app|application|client|cookie|jwt|gpg|pgp|crypto|cipher|server|write|integration|subscription)$/;
/** Words before `key` that make it public or another kind. */
const KEY_OF_OTHERS =
  /^(?:public|pub|foreign|primary|sort|partition|cache|host|known|hot|short|arrow|object|query|search|map|hash|row|index|composite|unique|i18n|locale|translation|publishable|dedupe|group|range|idempotency)$/;
const LIKELY = /^(?:pass|auth|authorization|authentication|credentials?|creds?|cookie|key)$|.pass$/;
/** Last words of names with other contents: where a secret is, whose it is, its lifetime. */
const NOT_THE_SECRET =
  /^(?:file|filename|path|dir|directory|folder|sock|socket|url|uri|urls|endpoint|host|hostname|domain|port|user|username|owner|name|names|id|ids|kid|type|types|kind|method|methods|mode|ttl|age|expires?|expiry|expired|expiration|exp|timeout|limit|limits|budget|usage|helper|length|len|size|count|counts|total|min|max|index|idx|position|offset|start|end|policy|field|fields|label|title|input|placeholder|hint|help|description|message|error|errors|valid|invalid|format|regex|pattern|algorithm|alg|algo|version|required|optional|enabled|disabled|issuer|audience|scope|scopes|role|roles|provider|strategy|status|state|store|manager|service|handler|middleware|parser|reader|counter|generator|validator|rotation|strength|prompt|page|form|screen|view|route|button|icon|model|schema|class|tests|spec|at|date|time|by|src|ref)$/;
/** Last words that only specify; the word before decides. */
const FILLER =
  /^(?:value|val|string|str|text|plain|plaintext|raw|data|base|base64|b64|hex|confirm|confirmation|again|repeat|new|old|current|previous|next|prod|production|stage|staging|dev|development|test|live|main|primary|secondary|default|backup|override|ident|a|b|x)$/;

/** Number of remembered names, as names repeat. */
const REMEMBERED = 2000;
const known = new Map<string, NameKind>();

/** Judges a variable, option, header or member by its name; only the part after the last dot counts. */
export function kindOfName(name: string): NameKind {
  const before = known.get(name);
  if (before !== undefined) return before;
  if (known.size >= REMEMBERED) known.clear();
  const kind = judged(wordsOf(name));
  known.set(name, kind);
  return kind;
}

export function isSecretName(name: string): boolean {
  const kind = kindOfName(name);
  return kind === 'sure' || kind === 'likely';
}

/** `aws_secretAccessKey2` → aws, secret, access, key. */
function wordsOf(name: string): string[] {
  const last = name.slice(Math.max(...['.', '/', ':', '@'].map((one) => name.lastIndexOf(one))) + 1);
  return last
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/(?<=[a-z]{3})\d+$/, ''))
    .filter((word) => !/^\d*$/.test(word));
}

function judged(words: readonly string[]): NameKind {
  if (!words.some(isOfSecrets)) return null;
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  // PWD is the working folder.
  if (last === 'pwd' && before === '') return 'maybe';
  if (FILLER.test(last) && words.length > 1) return judged(words.slice(0, -1));
  if (NOT_THE_SECRET.test(last)) return null;
  if (last === 'key' && KEY_OF_OTHERS.test(before)) return null;
  if (SURE.test(last) || (last === 'key' && KEY_OF_SECRETS.test(before))) return 'sure';
  if (last === 'pass' && before !== '') return 'sure';
  return LIKELY.test(last) && isOfSecrets(last) ? 'likely' : 'maybe';
}

function isOfSecrets(word: string): boolean {
  return SECRET_WORD.test(word) && !BY_CHANCE.test(word);
}
