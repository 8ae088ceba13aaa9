/** Pairs of letters that make up most of English text and of names in code. Drawn at random, one pair in four is among them. */
const COMMON = new Set(
  (
    'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch ' +
    'll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie wh ee wi em ad ol rt po ' +
    'we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab gh ty op wo sa ay ex ke ui fr oo av ag ' +
    'if ap gr od bo sp rd do uc bu ei ov by rm ep tt oc fa ef cu rn sc gi da yo cr cl du ga qu ue ff ba ey ls va um pp ua up lu go ht ru ug ds ' +
    'lt pi rc rr eg au ck ew mu br bi pt ak pu ui ys wn ob eq ks rk sk nn ms rv'
  ).split(' '),
);
/**
 * What is odder than this isn't made of words: 1 in 3,000 random texts of 20 letters and digits is less odd, and 1 in 100 names of
 * 12 characters in code is odder.
 */
const ODD = 0.48;
/** A change of case or between letters and digits, where a word would go on, weighs more than an odd pair of letters. */
const WEIGHT_OF_CUTS = 1.2;
/** Characters of what is drawn at random, at least. */
const SHORTEST_RANDOM = 12;

/** As many are looked at. */
const LONGEST_SEEN = 200;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const HASH = /^(?:[0-9a-f]{7,}|[0-9A-F]{7,})$/;
const INTEGRITY = /^(?:sha\d{1,3}|md5|h1|10c0)[-:/]/i;

/** Whether it identifies content or a thing, and opens nothing: a commit, a checksum, a UUID. */
export function isIdentity(value: string): boolean {
  return UUID.test(value) || HASH.test(value) || INTEGRITY.test(value);
}

/** Whether a text without blanks is drawn at random, as keys are, and isn't made of words, numbers, or a known hash. */
export function looksRandom(value: string): boolean {
  if (isIdentity(value.slice(0, LONGEST_SEEN))) return false;
  // Enough to decide by, however long it is. Without padding, and without a checksum in a name.
  const core = value
    .slice(0, LONGEST_SEEN)
    .replace(/(?:=|%3D){1,3}$/i, '')
    .replace(/(?<![A-Za-z0-9])(?:[0-9a-f]{7,}|[0-9A-F]{7,})(?![A-Za-z0-9])/g, '');
  return core.length >= SHORTEST_RANDOM && oddness(core) >= ODD;
}

/** How unlike words a text is: the share of uncommon pairs of letters, and how often a word is cut. */
function oddness(text: string): number {
  let [pairs, common, cuts, counted, letters] = [0, 0, 0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const [one, two] = [classOf(text.charCodeAt(at)), classOf(text.charCodeAt(at + 1))];
    if (one === OTHER) continue;
    counted += 1;
    if (one !== DIGIT) letters += 1;
    if (two === OTHER) continue;
    // A capital begins a word, and small letters follow it.
    if (one !== two && !(one === UPPER && two === LOWER)) cuts += 1;
    if (one === DIGIT || two === DIGIT || (one === LOWER && two === UPPER)) continue;
    pairs += 1;
    if (COMMON.has(text.slice(at, at + 2).toLowerCase())) common += 1;
  }
  if (letters === 0) return 0;
  // As if there were some common pairs more: few pairs say little.
  return 1 - (common + 2) / (pairs + 3) + (WEIGHT_OF_CUTS * cuts) / counted;
}

const [LOWER, UPPER, DIGIT, OTHER] = [0, 1, 2, 3];

function classOf(code: number): number {
  if (code > 96 && code < 123) return LOWER;
  if (code > 64 && code < 91) return UPPER;
  return code > 47 && code < 58 ? DIGIT : OTHER;
}

/** Words in the place of a value: types, states, settings, and the names of secrets themselves. */
const WORD =
  /^(?:true|false|yes|no|on|off|none|null|nil|undefined|nan|empty|missing|invalid|valid|expired|changed|unchanged|required|optional|disabled|enabled|present|absent|set|unset|default|auto|basic|bearer|digest|negotiate|ntlm|include|omit|same-origin|strict|lax|localhost|password|secret|token|keychain|plaintext|redacted|hidden|masked|x{3,}|string|str|text|char|varchar|bytes?|buffer|integer|boolean|bool|number|float\d*|double|any|unknown|object|void|never|self|uuid|[ui](?:8|16|32|64|128|size)|u?int(?:8|16|32|64)?(?:_t)?|float(?:32|64)|[A-Za-z]*array\d*|sha-?\d{1,3}|md5|hs\d{3}|rs\d{3}|es\d{3}|aes-?\d{3}(?:-\w{3})?|argon2\w{0,2}|bcrypt|scrypt|pbkdf2|ed25519|utf-?\d{1,2}|base\d\d|oauth2?|your[-_ ]?\S*|change-?_?me)$/i;
/** A reference to where a value is: a variable, a template, an option, a call, a placeholder. */
const REFERENCE =
  /^(?:\\?\$(?:[A-Za-z_]\w*$|[A-Za-z_]\w*[[.-]|[({])|%[A-Za-z_]\w*%|\{\{|\{|<|\[(?!redacted\])|\(|\\[dswb]|!\w|[&*@][A-Za-z]|-{1,2}[a-z]|--?$|process\.env|os\.environ|import\.meta|(?:std::)?env[.:(!]|ENV\[|secrets\.|vars?\.|config\.|this\.|self\.|\*+$|\.+$|…|#$)/;
const CALL = /^[\w$.:!?&*]{1,80}(?:<[^\s()]{0,80}>)?\(/;
const GENERIC = /^[\w.:]{1,60}(?:\?\.)?[<[]|^[\w.]{1,60}\?\.|=>|->|::|&&|\|\|/;
const PATH = /^(?:\.{0,2}\/|~|[A-Za-z]:[\\/]|file:|https?:|[a-z][a-z0-9+.-]{1,20}:\/\/)/;
const NUMBER = /^(?:[+-]?[\d_,.]{1,7}(?:%|[a-z]{1,3})?|0x[0-9a-f]{1,8})$/i;
/** A type that is named after what it is of. */
const TYPE = /^[A-Z]\w{0,60}(?:Token|Key|Secret|Password|Auth|Credential|Cookie)s?$/;
const VERSION = /^[\^~<>=v]{0,3}\d+(?:\.[\dx*]+)+(?:[-+][\w.+-]*)?$|^\d{4}-\d\d-\d\d/;
/** Names joined by dots or slashes: a member, a file, a package. */
const JOINED = /^@?[A-Za-z_][\w-]*(?:[./\\:@#][\w-]+)+(?:\(\))?$/;

/** Whether it is a word that settings are written with. */
export function isWordOfSettings(value: string): boolean {
  return WORD.test(value);
}

/** Whether it stands where a value would, and is none: a type, a state, a reference, a call, a path, a number, a version. */
export function isNoValue(value: string): boolean {
  return (
    isWordOfSettings(value) ||
    [REFERENCE, CALL, GENERIC, PATH, NUMBER, TYPE, VERSION].some((one) => one.test(value)) ||
    (JOINED.test(value) && !looksRandom(value) && !value.split(/[^\w-]+/).some(isDrawn))
  );
}

/** Whether a part of a path is too odd for a name: short ones say too little by their letters alone. */
function isDrawn(part: string): boolean {
  return looksRandom(part) || /(?:[a-z]\d+){3}/i.test(part);
}

/** Whether it is one word or several in one, as in a name: letters alone, and signs between them. */
export function isWordy(value: string): boolean {
  return /^[A-Za-z_.-]+$/.test(value) && !looksRandom(value);
}
