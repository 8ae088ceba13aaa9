/** Letter pairs that make up most English text and code names; one in four random pairs is among them. */
const COMMON = new Set(
  (
    'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch ' +
    'll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie wh ee wi em ad ol rt po ' +
    'we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab gh ty op wo sa ay ex ke ui fr oo av ag ' +
    'if ap gr od bo sp rd do uc bu ei ov by rm ep tt oc fa ef cu rn sc gi da yo cr cl du ga qu ue ff ba ey ls va um pp ua up lu go ht ru ug ds ' +
    'lt pi rc rr eg au ck ew mu br bi pt ak pu ui ys wn ob eq ks rk sk nn ms rv'
  ).split(' '),
);
/** Words are lower. Of random texts of 20 characters, 1 in 3,000 is lower; of code names of 12, 1 in 100 is higher. */
const ODD = 0.48;
/** A change of case or to digits within a word weighs more than an odd letter pair. */
const WEIGHT_OF_CUTS = 1.2;
const SHORTEST_RANDOM = 12;

const LONGEST_SEEN = 200;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const HASH = /^(?:[0-9a-f]{7,}|[0-9A-F]{7,})$/;
const INTEGRITY = /^(?:sha\d{1,3}|md5|h1|10c0)[-:/]/i;

export function isIntegrity(value: string): boolean {
  return INTEGRITY.test(value);
}

/** Whether a value only identifies something: a commit, checksum or UUID. */
export function isIdentity(value: string): boolean {
  return UUID.test(value) || HASH.test(value) || INTEGRITY.test(value);
}

/** Whether a text without blanks is random like a key, not words, numbers or a known hash. */
export function looksRandom(value: string): boolean {
  if (isIdentity(value.slice(0, LONGEST_SEEN))) return false;
  // The beginning suffices; padding and checksums in names are removed.
  const core = value
    .slice(0, LONGEST_SEEN)
    .replace(/(?:=|%3D){1,3}$/i, '')
    .replace(/(?<![A-Za-z0-9])(?:[0-9a-f]{7,}|[0-9A-F]{7,})(?![A-Za-z0-9])/g, '');
  return core.length >= SHORTEST_RANDOM && oddness(core) >= ODD;
}

function oddness(text: string): number {
  let [pairs, common, cuts, counted, letters] = [0, 0, 0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const [one, two] = [classOf(text.charCodeAt(at)), classOf(text.charCodeAt(at + 1))];
    if (one === OTHER) continue;
    counted += 1;
    if (one !== DIGIT) letters += 1;
    if (two === OTHER) continue;
    // A capital followed by small letters begins a word.
    if (one !== two && !(one === UPPER && two === LOWER)) cuts += 1;
    if (one === DIGIT || two === DIGIT || (one === LOWER && two === UPPER)) continue;
    pairs += 1;
    if (COMMON.has(text.slice(at, at + 2).toLowerCase())) common += 1;
  }
  if (letters === 0) return 0;
  // Few pairs say little, so some common ones are added.
  return 1 - (common + 2) / (pairs + 3) + (WEIGHT_OF_CUTS * cuts) / counted;
}

const [LOWER, UPPER, DIGIT, OTHER] = [0, 1, 2, 3];

function classOf(code: number): number {
  if (code > 96 && code < 123) return LOWER;
  if (code > 64 && code < 91) return UPPER;
  return code > 47 && code < 58 ? DIGIT : OTHER;
}

/** Words in place of a value: types, states, settings, and names of secrets. */
const WORD =
  /^(?:true|false|yes|no|on|off|none|null|nil|undefined|nan|empty|missing|invalid|valid|expired|changed|unchanged|required|optional|disabled|enabled|present|absent|set|unset|default|auto|basic|bearer|digest|negotiate|ntlm|include|omit|same-origin|strict|lax|localhost|password|secret|token|keychain|plaintext|redacted|hidden|masked|x{3,}|string|str|text|char|varchar|bytes?|buffer|integer|boolean|bool|number|float\d*|double|any|unknown|object|void|never|self|uuid|[ui](?:8|16|32|64|128|size)|u?int(?:8|16|32|64)?(?:_t)?|float(?:32|64)|[A-Za-z]*array\d*|sha-?\d{1,3}|md5|hs\d{3}|rs\d{3}|es\d{3}|aes-?\d{3}(?:-\w{3})?|argon2\w{0,2}|bcrypt|scrypt|pbkdf2|ed25519|utf-?\d{1,2}|base\d\d|oauth2?|your[-_ ]?\S*|change-?_?me)$/i;
/** References to a value: variable, template, option, call, placeholder. */
const REFERENCE =
  /^(?:\\?\$(?:[A-Za-z_]\w*$|[A-Za-z_]\w*[[.-]|[({])|%[A-Za-z_]\w*%|\{\{|\{|<|\[(?!redacted\])|\(|\\[dswb]|!\w|[&*@][A-Za-z]|-{1,2}[a-z][a-z-]*(?:[ =]|$)|--?$|\?\w*$|process\.env|os\.environ|import\.meta|(?:std::)?env[.:(!]|ENV\[|secrets\.|vars?\.|config\.|this\.|self\.|\*+$|\.+$|…|#$)/;
const CALL = /^[\w$.:!?&*]{1,80}(?:<[^\s()]{0,80}>)?\(/;
const GENERIC = /^[\w.:]{1,60}(?:\?\.)?[<[]|^[\w.]{1,60}\?\.|=>|->|::|&&|\|\|/;
const PATH =
  /^(?:\.{0,2}\/(?![A-Za-z0-9+/]{38,}={0,2}$)|~|[A-Za-z]:[\\/]|file:|https?:|[a-z][a-z0-9+.-]{1,20}:\/\/)/;
const NUMBER = /^(?:[+-]?[\d_,.]{1,7}(?:%|[a-z]{1,3})?|0x[0-9a-f_]{1,19})$/i;
/** Type named after its content. */
const TYPE = /^[A-Z]\w{0,60}(?:Token|Key|Secret|Password|Auth|Credential|Cookie)s?$/;
const VERSION = /^[\^~<>=v]{0,3}\d+(?:\.[\dx*]+)+(?:[-+][\w.+-]*)?$|^\d{4}-\d\d-\d\d/;
/** Names joined by dots or slashes: member, file, package. */
const JOINED = /^@?[A-Za-z_][\w-]*(?:[./\\:@#][\w-]+)+(?:\(\))?$/;

export function isWordOfSettings(value: string): boolean {
  return WORD.test(value);
}

/** Whether a text stands for a value but isn't one: type, state, reference, call, path, number, version. */
export function isPlaceholder(value: string): boolean {
  return (
    isWordOfSettings(value) ||
    [REFERENCE, CALL, GENERIC, PATH, NUMBER, TYPE, VERSION].some((one) => one.test(value)) ||
    (JOINED.test(value) && !looksRandom(value) && !value.split(/[^\w-]+/).some(isDrawn))
  );
}

/** Whether a path part is too odd for a name; letters alone say too little about short ones. */
function isDrawn(part: string): boolean {
  return looksRandom(part) || /(?:[a-z]\d+){3}/i.test(part);
}

/** Whether a text is drawn from letters, digits and signs, which may look like code: `a->B3&&x(…`. */
export function isMixed(value: string): boolean {
  const kinds = [/[a-z]/g, /[A-Z]/g, /\d/g, /[^\w\s]/g];
  return (
    value.length >= 40 &&
    !PATH.test(value) &&
    kinds.every((kind) => (value.match(kind) ?? []).length > 1) &&
    looksRandom(value)
  );
}

/** Whether a text is words as in a name: letters joined by signs. */
export function isWordy(value: string): boolean {
  return /^[A-Za-z_.-]+$/.test(value) && !looksRandom(value);
}
