import { kindOfName, type NameKind, SECRET_WORDS } from './names.ts';
import { isIdentity, isIntegrity, isMixed, isPlaceholder, isWordy, looksRandom } from './values.ts';

export type Span = { readonly start: number; readonly end: number };

export const REDACTED = '[redacted]';

const WORDS = new RegExp(SECRET_WORDS, 'gi');
const LONGEST_NAME = 80;
/** Number of characters by which a value is judged; all of it is hidden. */
const JUDGED = 300;
/** Search limit for a closing quote or an element's end. */
const LONGEST_QUOTED = 4000;

/** A quote, at any level of escaping. */
const QUOTE = String.raw`\\{0,7}["'${'`'}]`;
const ASSIGNMENT = new RegExp(
  String.raw`(?:${QUOTE})?[\])]{0,2}[?!]?([ \t]{0,40})(?:=>|:=|[=!]==?|[+?|]?=|:(?![:=]))([ \t]{0,40})`,
  'y',
);
/** A default behind a name (`env.TOKEN || "x"`), or the next cell of a table. */
const OR = new RegExp(
  String.raw`(?:${QUOTE})?[\])]{0,2}[ \t]{0,40}(?:\|\|=?|\?\?=?|\||│|or(?=[ \t]))[ \t]{0,40}`,
  'y',
);
/** `"name": "TOKEN", "value": "x"`, also in YAML and as XML attributes; `variable "token" { default = "x" }`. */
const PAIR = new RegExp(
  String.raw`(?:${QUOTE})?[\s,{]{0,60}(?:${QUOTE})?(?:value|default)(?:${QUOTE})?[ \t]{0,9}[:=]>?[ \t]{0,9}`,
  'iy',
);
/** End of a start tag after its name (`<password>`) or an attribute's value (`key="password">`). */
const TAG_END = new RegExp(String.raw`(?:${QUOTE})?(?:[ \t][^<>\n]{0,200})?>\s{0,40}`, 'y');
/** `<key>password</key><string>`: one element has the name, the next the value. */
const NEXT_ELEMENT = /<\/[\w:.-]{1,40}>\s{0,40}<[\w:.-]{1,40}>\s{0,40}/y;
const ARGUMENT = new RegExp(String.raw`\([ \t]?(?=${QUOTE})`, 'y');
/** Between an option and its value in a list of strings: `["--password", "x"]`. */
const NEXT_STRING = new RegExp(String.raw`${QUOTE}[ \t]?,\s{0,40}(?=${QUOTE})`, 'y');
/** A type between name and value: `token: string = "x"`. */
const TYPED = new RegExp(
  String.raw`[^\s"'${'`'}=;(){}][^\n"'${'`'}=;(){}]{0,60}[ \t]=[ \t]{0,9}(?=${QUOTE})`,
  'y',
);
const YAML_TAG = /!!?[\w:/.-]{0,40}[ \t]{1,4}/y;
const BLANKS = /(?:[ \t]{1,8}(?:is|was)(?=[ \t]))?(?:[ \t]{1,40}|[ \t]{0,8}\\?\r?\n[ \t]{1,40})/y;
/** The value stands on the line after the name. */
const NEXT_LINE = new RegExp(
  String.raw`(?:[|>][+-]?\d?[ \t]{0,8})?\r?\n[ \t]{1,60}(?:-[ \t]+)?|(?:\r?\n\s{0,80})?[[(]\s{0,80}(?=${QUOTE})|\r?\n\s{0,80}(?=${QUOTE})`,
  'y',
);
const NEXT_ITEM = new RegExp(String.raw`,\s{0,80}(?=${QUOTE})|\r?\n[ \t]{1,60}-[ \t]+`, 'y');
const OPENING = new RegExp(String.raw`(?:[bru@]?"""|'''|[bruf@$]?(\\{0,7})(["'${'`'}]))`, 'y');
const SCHEME =
  /(?:bearer|basic|token|api-?key|digest|negotiate|hmac|hawk|key|dpop|genie ?key|splunk|aws4-hmac-sha256)[ \t]{1,4}/iy;
/** Any scheme, behind the name of the header. */
const ANY_SCHEME = /[A-Za-z][\w-]{1,30}[ \t]{1,4}(?=\S)/y;
/** Authorization schemes with several parts, one of them secret. */
const IN_PARTS = /(?:digest|hmac|hawk|aws4-hmac-sha256)[ \t]{1,4}(?=\w{1,40}=)/iy;
const MORE_TEXT = /[ \t]{1,8}(?![#;,)}\]|&]|\/\/|\\?["']|--?\w)[^\s]/y;
/** Shorter values behind a secret's name are settings or placeholders. */
const SHORTEST_VALUE = 4;
/** Minimum length of a random value behind an ambiguous name. */
const SHORTEST_VAGUE = 16;
/** Shorter words aren't passwords. */
const SHORTEST_WORD = 8;
const COOKIE = /([\w!#$%&'*+.^`|~-]{1,80})=([^;,\s"'`\\]{4,4096})/g;
const COOKIE_SETTING = /^(?:path|domain|max-age|expires|samesite|priority)$/i;

/** Linear time: names and judged parts are bounded, and hidden text isn't read again. */
export function namedSpans(text: string): Span[] {
  const spans: Span[] = [];
  WORDS.lastIndex = 0;
  for (let hit = WORDS.exec(text); hit !== null; hit = WORDS.exec(text)) {
    const name = nameAround(text, hit.index, hit.index + hit[0].length);
    WORDS.lastIndex = name.end;
    if (name.end - name.start > LONGEST_NAME) continue;
    const kind = kindOfName(text.slice(name.start, name.end));
    if (kind === null) continue;
    const found = valuesBehind(text, name, kind);
    spans.push(...found.spans);
    WORDS.lastIndex = Math.max(name.end, found.read, found.spans.at(-1)?.end ?? 0);
  }
  return spans;
}

type Name = Span & {
  /** Whether dashes make the name an option. */
  readonly isOption: boolean;
};

function nameAround(text: string, from: number, to: number): Name {
  let [start, end] = [from, to];
  while (start > 0 && from - start < LONGEST_NAME && isOfName(text.charCodeAt(start - 1), true)) start -= 1;
  while (end < text.length && isOfName(text.charCodeAt(end), false)) end += 1;
  let first = start;
  while (first < from && text[first] === '-') first += 1;
  // An `n` after a backslash isn't part of the name.
  if (first > 0 && text[first - 1] === '\\' && /[nrt]/.test(text[first] ?? '')) first += 1;
  return { start: first, end, isOption: first > start };
}

function isOfName(code: number, withDots: boolean): boolean {
  const isLetter = (code > 96 && code < 123) || (code > 64 && code < 91);
  return isLetter || (code > 47 && code < 58) || code === 95 || code === 45 || (withDots && code === 46);
}

/**
 * Separation of a value from its name: `close`: without blanks, at a line's start; `part`: the same within an address
 * or command; `assigned`: with blanks; `option`: after an option; `apart`: only blanks between.
 */
type Manner = 'assigned' | 'close' | 'part' | 'option' | 'apart';

type Values = {
  readonly spans: readonly Span[];
  /** Position before which nothing more can be found. */
  readonly read: number;
};
const NONE: Values = { spans: [], read: 0 };

function valuesBehind(text: string, name: Name, kind: NameKind): Values {
  const { end } = name;
  const word = text.slice(name.start, end);
  const isCookie = /(?:^|-)cookies?$/i.test(word);
  const assigned = after(ASSIGNMENT, text, end);
  if (assigned !== null) {
    if (isCookie) return cookies(text, assigned.end);
    const at = (after(TYPED, text, assigned.end) ?? after(YAML_TAG, text, assigned.end) ?? assigned).end;
    const isClose = assigned.groups.every((blanks) => blanks === '');
    const manner = !isClose ? 'assigned' : isFirst(text, name.start) ? 'close' : 'part';
    return listed(text, at, { kind, word, manner: name.isOption ? 'option' : manner });
  }
  const pair = after(PAIR, text, end);
  if (pair !== null) return one(text, pair.end, { kind, word, manner: 'assigned' });
  const tag = after(TAG_END, text, end);
  if (tag !== null && (/["'`\\]/.test(text[end] ?? '') || isOpenTag(text, name.start)))
    return elementText(text, tag.end, kind);
  const element = after(NEXT_ELEMENT, text, end);
  if (element !== null) return elementText(text, element.end, kind);
  const item = after(NEXT_STRING, text, end);
  if (item !== null) return one(text, item.end, { kind, word, manner: name.isOption ? 'option' : 'apart' });
  const argument = after(ARGUMENT, text, end);
  if (argument !== null) return items(text, argument.end, { kind, word, manner: 'apart' });
  const other = kind === 'maybe' ? null : after(OR, text, end);
  if (other !== null) return one(text, other.end, { kind, word, manner: 'apart' });
  const blanks = after(BLANKS, text, end);
  if (blanks === null) return NONE;
  if (name.isOption && isCookie) return cookies(text, blanks.end);
  const isNetrc = word === 'password' && isBehindLogin(text, name.start);
  const manner = name.isOption || isNetrc ? 'option' : 'apart';
  return manner === 'apart' && kind === 'maybe' ? NONE : one(text, blanks.end, { kind, word, manner });
}

/** Whether an element's name begins here, possibly after a namespace. */
function isOpenTag(text: string, at: number): boolean {
  return /<(?:[\w.-]{1,40}:)?$/.test(text.slice(Math.max(0, at - 50), at));
}

/** Whether a name is the first on its line or after `export`. */
function isFirst(text: string, at: number): boolean {
  return /(?:^|\n|\\n)[ \t]{0,20}(?:export[ \t]{1,4}|set[ \t]{1,4}|env[ \t]{1,4}|[-+>#] ?)?$/.test(
    text.slice(Math.max(0, at - 40), at),
  );
}

type Found = Span & { readonly groups: readonly string[] };

function after(pattern: RegExp, text: string, at: number): Found | null {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (match === null) return null;
  const [whole, ...groups] = match;
  return { start: at, end: at + whole.length, groups: groups.map((group) => group ?? '') };
}

function isBehindLogin(text: string, at: number): boolean {
  return /\b(?:login|account)\s{1,20}\S{1,100}\s{1,20}$/.test(text.slice(Math.max(0, at - 150), at));
}

type How = { readonly kind: NameKind; readonly word: string; readonly manner: Manner };

function listed(text: string, at: number, how: How): Values {
  const below = after(NEXT_LINE, text, at);
  return below === null ? one(text, at, how) : items(text, below.end, how);
}

function items(text: string, at: number, how: How): Values {
  const spans: Span[] = [];
  for (let from = at; ; ) {
    const value = valueAt(text, from, how.manner);
    if (value === null) return { spans, read: from };
    // Without quotes, the next line may be another member.
    if (isHidden(text, value, value.ends === null ? how : { ...how, manner: 'apart' }))
      spans.push(whole(text, value));
    const next = after(NEXT_ITEM, text, value.close);
    if (next === null) return { spans, read: from };
    from = next.end;
  }
}

function one(text: string, at: number, how: How): Values {
  const isHeader = /authorization$/i.test(how.word);
  const scheme =
    how.manner === 'apart'
      ? null
      : (after(SCHEME, text, at) ?? (isHeader ? after(ANY_SCHEME, text, at) : null));
  const parts = scheme === null ? null : after(IN_PARTS, text, at);
  if (parts !== null)
    return { spans: [{ start: parts.end, end: partEnd(text, parts.end, /[\r\n]|\\[nr]/) }], read: 0 };
  const value = valueAt(text, scheme?.end ?? at, how.manner);
  if (value === null) return NONE;
  const inner = value.ends === null ? after(SCHEME, text, value.start) : null;
  const isWithin = inner !== null && inner.end < value.end;
  const given = isWithin ? { ...value, start: inner.end } : value;
  const isIt = isWithin || scheme !== null ? isInHeader(text, given) : isHidden(text, given, how);
  return isIt ? { spans: [whole(text, given)], read: 0 } : NONE;
}

function partEnd(text: string, at: number, ends: RegExp): number {
  const rest = text.slice(at, at + LONGEST_QUOTED);
  const end = rest.search(ends);
  return at + (end < 0 ? rest.length : end);
}

/** Whether the text after an authorization scheme is a credential. */
function isInHeader(text: string, value: Value): boolean {
  const seen = judgedPart(text, value);
  return (
    seen.length >= 8 &&
    !/^(?:realm|error|scope|charset)=/i.test(seen) &&
    !seen.startsWith(REDACTED) &&
    !isPlaceholder(seen) &&
    !isWordy(seen)
  );
}

function cookies(text: string, at: number): Values {
  const inList = after(/\[\s{0,40}/y, text, at)?.end ?? at;
  const opened = after(OPENING, text, inList)?.end ?? inList;
  const read = partEnd(text, opened, /["'`\r\n]|\\[nr"']/);
  const spans = [...text.slice(opened, read).matchAll(COOKIE)].flatMap((match) => {
    const [pair, name = '', value = ''] = match;
    if (COOKIE_SETTING.test(name) || value === REDACTED || isPlaceholder(value) || isWordy(value)) return [];
    const end = opened + match.index + pair.length;
    return [{ start: end - value.length, end }];
  });
  return { spans, read };
}

function elementText(text: string, at: number, kind: NameKind): Values {
  const rest = text.slice(at, at + LONGEST_QUOTED);
  const close = rest.indexOf('<');
  if (close < 0) return NONE;
  const end = at + rest.slice(0, close).trimEnd().length;
  const value = { start: at, end, close: at + close, ends: null };
  return isHidden(text, value, { kind, word: 'password', manner: 'assigned' })
    ? { spans: [value], read: 0 }
    : NONE;
}

type Value = Span & {
  /** Pattern that ends the value; `null`: a quote. */
  readonly ends: RegExp | null;
  /** Position after the closing quote. */
  readonly close: number;
};

function valueAt(text: string, at: number, manner: Manner): Value | null {
  const opening = after(OPENING, text, at);
  const quoted = opening === null ? null : quotedAt(text, opening);
  if (quoted !== null) return quoted;
  const start = opening?.end ?? at;
  const ends = manner === 'part' ? END_OF_PART : END_OF_WORD;
  const end = endOf(ends, text, start, JUDGED);
  return end > start ? { start, end, close: end, ends } : null;
}

/** `null`: the quote isn't closed on its line. */
function quotedAt(text: string, { end: start, groups: [slashes = '', quote = ''] }: Found): Value | null {
  const isTriple = quote === '';
  const mark = isTriple ? text.slice(start - 3, start) : quote;
  const rest = text.slice(start, start + LONGEST_QUOTED);
  for (let at = rest.indexOf(mark); at >= 0; at = rest.indexOf(mark, at + 1)) {
    let before = 0;
    while (before < at && rest[at - 1 - before] === '\\') before += 1;
    if (before > slashes.length && !isTriple) continue;
    const inner = rest.slice(0, at - (isTriple ? 0 : before));
    if (!isTriple && inner.includes('\n')) return null;
    return { start, end: start + inner.length, close: start + at + mark.length, ends: null };
  }
  return null;
}

const END_OF_WORD = /[\s"'`]|\\[nrt"'`\\]/;
/** Signs also end a value in addresses and commands. */
const END_OF_PART = /[\s"'`&;|<>]|\\[nrt"'`\\u]/;
const CLOSING = /[,;.:!)}\]>]/;

/** Returns the end of an unquoted value, at a blank or quote, without punctuation before it. */
function endOf(ends: RegExp, text: string, at: number, longest: number): number {
  const rest = text.slice(at, at + longest);
  const found = rest.search(ends);
  let word = found < 0 ? rest : rest.slice(0, found);
  while (CLOSING.test(word.at(-1) ?? '') && !word.endsWith(REDACTED)) word = word.slice(0, -1);
  return at + word.length;
}

function whole(text: string, { start, end, ends }: Value): Span {
  return { start, end: ends === null || end - start < JUDGED ? end : endOf(ends, text, start, text.length) };
}

function judgedPart(text: string, { start, end }: Span): string {
  return text.slice(start, Math.min(end, start + JUDGED));
}

function isHidden(text: string, value: Value, how: How): boolean {
  const seen = judgedPart(text, value);
  if (seen.length < SHORTEST_VALUE || seen === REDACTED) return false;
  if (isPlaceholder(seen) && !(value.ends === null && isMixed(seen))) return false;
  if (/\s/.test(seen)) return how.kind !== 'maybe' && seen.split(/\s+/).some(looksRandom);
  // A plain `key` may belong to a list or table.
  const isVague = how.kind === 'maybe' || /^key$/i.test(how.word);
  if (looksRandom(seen)) return !isVague || seen.length >= SHORTEST_VAGUE;
  return how.kind === 'sure' || (how.kind === 'likely' && !/key$/i.test(how.word))
    ? isPassword(text, value, seen, how)
    : false;
}

/** Whether a non-random value is a chosen password, not a word of a sentence or a name in code. */
function isPassword(text: string, value: Value, seen: string, { kind, word, manner }: How): boolean {
  if (manner === 'apart') return false;
  if (isIdentity(seen)) return kind === 'sure' && !isIntegrity(seen);
  if (isWordy(seen)) {
    const isSetting = (manner === 'close' || manner === 'part') && /^[A-Z\d_]+$|\./.test(word);
    const isMember = value.ends === null && /^[a-z]+$/.test(seen) && !/token$/i.test(word);
    return kind === 'sure' && seen.length >= SHORTEST_WORD && (isSetting || isMember);
  }
  if (value.ends === null || manner !== 'assigned') return true;
  const isName = /^[A-Za-z_$][\w$]*$/.test(seen);
  if (isName && /[;,)([]/.test(text[value.end] ?? '')) return false;
  if (after(MORE_TEXT, text, value.end) !== null) return /^(?=.*\d)(?=.*[a-z])\S{6,}$/i.test(seen);
  return true;
}
