import { ANY_TOKEN, TOKEN_FORMS, WEBHOOKS } from './secrets/token-forms.ts';

/** A credential in a line that a patch adds; never the credential itself. */
type Found = {
  readonly path: string;
  /** 1-based, in the new file. */
  readonly line: number;
  readonly kind: string;
};

/** Credentials of one patch that are named. */
const MOST = 50;
/** Different characters below which a value is made up: `xxxxxxxx`, `0000`, `abcabcabc`. */
const LEAST_DIFFERENT = 8;
/** Characters in their order, forwards, from which on a value is typed on a keyboard: `abcdef`, `12345`. */
const LONGEST_RUN = 5;

const MADE_UP =
  /example|sample|dummy|fake|mock|test|placeholder|redacted|changeme|change-me|replace|insert|your|here|xxxx|demo|invalid/i;
const TEST_PATH =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|testdata|__fixtures__|mocks?)\/|[._-](?:test|spec)\.\w+$/i;
/** Different characters of a line of a private key's body at least. */
const LEAST_IN_KEY = 16;

const KEY_BEGINS = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/;
/** A line of a key's body, in a string too: with the header before it, marks around it, `\n` behind it. */
const KEY_BODY = /(?:^|[^\w+/=])(?<body>[A-Za-z0-9+/]{40,})={0,2}(?:$|[^\w+/=])/;

/** Whatever may be one: hardly any text has it, so that a large patch is read once. */
const ANY = new RegExp(
  [
    ANY_TOKEN,
    ...WEBHOOKS.map(({ pattern }) => pattern.source.replace('?<secret>', '?:')),
    KEY_BEGINS.source,
  ].join('|'),
);

/**
 * Credentials in the lines that a unified diff adds: tokens of known forms, and private keys with their bodies. Made-up
 * ones (examples, `xxxx`, `your-token-here`, rows of the alphabet) don't count, and neither does what the same patch
 * removes or keeps elsewhere, since moving a line leaks nothing.
 *
 * Tests and fixtures count as any other file: a token there that looks issued is a leak as well. Only private keys don't
 * count there, as tests bring throw-away keys of their own. At most 50 are named; never throws.
 */
export function findCredentials(diff: string): Found[] {
  // In a file of UTF-16 there is one behind each character.
  const patch = diff.includes('\0') ? diff.replaceAll('\0', '') : diff;
  if (!ANY.test(patch)) return [];
  const known = new Set<string>();
  const suspects: Suspect[] = [];
  for (const line of linesOf(patch)) {
    const last = suspects.at(-1);
    if (last !== undefined && line.kind === 'added') last.next ??= line;
    if (!ANY.test(line.text)) continue;
    if (line.kind === 'added') suspects.push({ line, next: null });
    else for (const { value } of tokensIn(line.text)) known.add(value);
  }
  const found: Found[] = [];
  for (const { line, next } of suspects) {
    if (found.length >= MOST) break;
    const { path, number } = line;
    const kinds = new Set(
      tokensIn(line.text).flatMap(({ kind, value }) => (known.has(value) || isMadeUp(value) ? [] : [kind])),
    );
    if (KEY_BEGINS.test(line.text) && !TEST_PATH.test(path) && hasBody(line, next)) kinds.add('private key');
    for (const kind of kinds) found.push({ path, line: number, kind });
  }
  return found;
}

/** A line with what may be a credential, and the added line behind it. */
type Suspect = { readonly line: AddedLine; next: AddedLine | null };
type AddedLine = { readonly path: string; readonly number: number; readonly text: string };
type PatchLine = (AddedLine & { readonly kind: 'added' }) | { readonly kind: 'other'; readonly text: string };

/** The lines of all hunks. Counting them separates an added line `++ x` from a header. */
function* linesOf(patch: string): Generator<PatchLine> {
  let path = '';
  let number = 0;
  let left = { old: 0, new: 0 };
  for (let start = 0; start < patch.length; ) {
    const end = patch.indexOf('\n', start);
    const line = patch.slice(start, end < 0 ? patch.length : end);
    start += line.length + 1;
    if (left.old <= 0 && left.new <= 0) {
      if (line.startsWith('+++ ')) path = pathOf(line.slice(4));
      const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
      if (hunk === null) continue;
      number = Number(hunk[2]);
      left = { old: Number(hunk[1] ?? 1), new: Number(hunk[3] ?? 1) };
      continue;
    }
    const mark = line[0];
    const text = line.slice(1);
    if (mark === '\\') continue;
    if (mark === '+') yield { kind: 'added', path, number, text };
    else yield { kind: 'other', text };
    if (mark !== '-') {
      number += 1;
      left.new -= 1;
    }
    if (mark !== '+') left.old -= 1;
  }
}

/** Of `+++ b/src/a.ts`; a name with blanks has a tab behind it, one with odd characters stands in quotation marks. */
function pathOf(header: string): string {
  const name = header.replace(/\t.*$/, '').replace(/\r$/, '');
  const bare = name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name;
  return bare.replace(/^b\//, '');
}

function tokensIn(text: string): { readonly kind: string; readonly value: string }[] {
  return TOKEN_FORMS.flatMap(({ kind, pattern }) =>
    [...text.matchAll(pattern)].map((match) => ({ kind, value: match.groups?.secret ?? match[0] })),
  );
}

/** The part behind the prefix is what was issued, or was made up. */
function isMadeUp(value: string): boolean {
  if (MADE_UP.test(value)) return true;
  const body = value.replace(/^[A-Za-z]{2,8}(?:[-_.][a-z]{2,7})?\d?[-_.]/, '').replace(/^A[KSBC][IC]A/, '');
  return new Set(body.toLowerCase()).size < LEAST_DIFFERENT || longestRun(body) >= LONGEST_RUN;
}

/** How many characters in a row follow each other as in the alphabet or in the digits, or stay the same. */
function longestRun(text: string): number {
  let longest = 0;
  let up = 1;
  let same = 1;
  for (let index = 1; index < text.length; index += 1) {
    const step = text.charCodeAt(index) - text.charCodeAt(index - 1);
    up = step === 1 ? up + 1 : 1;
    same = step === 0 ? same + 1 : 1;
    longest = Math.max(longest, up, same);
  }
  return longest;
}

/** A header alone is text about keys. */
function hasBody(header: AddedLine, next: AddedLine | null): boolean {
  const behind = header.text.slice((KEY_BEGINS.exec(header.text)?.index ?? 0) + 10).replaceAll('\\n', ' ');
  const follows = next !== null && next.path === header.path && next.number === header.number + 1;
  return [behind, follows ? next.text : ''].some((text) => {
    const body = KEY_BODY.exec(text)?.groups?.body;
    return body !== undefined && new Set(body).size >= LEAST_IN_KEY;
  });
}
