import { ANY_TOKEN, TOKEN_FORMS, WEBHOOKS } from './secrets/token-forms.ts';

type Found = {
  readonly path: string;
  /** Line in the new file, 1-based. */
  readonly line: number;
  readonly kind: string;
};

/** Limit of credentials reported per patch. */
const MOST = 50;
/** Values with fewer different characters are made up: `xxxxxxxx`, `0000`, `abcabcabc`. */
const LEAST_DIFFERENT = 8;
/** Length of an ascending run that means a typed value: `abcdef`, `12345`. */
const LONGEST_RUN = 5;

const MADE_UP =
  /example|sample|dummy|fake|mock|test|placeholder|redacted|changeme|change-me|replace|insert|your|here|xxxx|demo|invalid/i;
const TEST_PATH =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|testdata|__fixtures__|mocks?)\/|[._-](?:test|spec)\.\w+$/i;
/** Minimum of different characters in a line of a private key. */
const LEAST_IN_KEY = 16;

const KEY_BEGINS = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/;
/** Line of a key's body, also within a string: after the header, between quotes, before `\n`. */
const KEY_BODY = /(?:^|[^\w+/=])(?<body>[A-Za-z0-9+/]{40,})={0,2}(?:$|[^\w+/=])/;

/** Combined pattern that most texts don't match, so that a large patch is read once. */
const ANY = new RegExp(
  [
    ANY_TOKEN,
    ...WEBHOOKS.map(({ pattern }) => pattern.source.replace('?<secret>', '?:')),
    KEY_BEGINS.source,
  ].join('|'),
);

/**
 * Returns credentials in a diff's added lines: known token forms, and private keys with bodies. Made-up values
 * (examples, `xxxx`, `your-token-here`, alphabet runs) and values that the patch removes or keeps elsewhere don't
 * count, since moving a line leaks nothing.
 *
 * Tests and fixtures count, too, except for private keys, as tests bring throw-away ones. Reports at most 50; never
 * throws.
 */
export function findCredentials(diff: string): Found[] {
  // UTF-16 files have a NUL after each character.
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

type Suspect = { readonly line: AddedLine; next: AddedLine | null };
type AddedLine = { readonly path: string; readonly number: number; readonly text: string };
type PatchLine = (AddedLine & { readonly kind: 'added' }) | { readonly kind: 'other'; readonly text: string };

/** Yields all hunk lines; counting them distinguishes an added `++ x` from a header. */
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

/** Parses `+++ b/src/a.ts`; names with blanks end with a tab, unusual ones are quoted. */
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

/** Judges the part after the prefix, which is issued or made up. */
function isMadeUp(value: string): boolean {
  if (MADE_UP.test(value)) return true;
  const body = value.replace(/^[A-Za-z]{2,8}(?:[-_.][a-z]{2,7})?\d?[-_.]/, '').replace(/^A[KSBC][IC]A/, '');
  return new Set(body.toLowerCase()).size < LEAST_DIFFERENT || longestRun(body) >= LONGEST_RUN;
}

/** Returns the longest ascending or constant run of characters. */
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

/** A header without a body is only text about keys. */
function hasBody(header: AddedLine, next: AddedLine | null): boolean {
  const behind = header.text.slice((KEY_BEGINS.exec(header.text)?.index ?? 0) + 10).replaceAll('\\n', ' ');
  const follows = next !== null && next.path === header.path && next.number === header.number + 1;
  return [behind, follows ? next.text : ''].some((text) => {
    const body = KEY_BODY.exec(text)?.groups?.body;
    return body !== undefined && new Set(body).size >= LEAST_IN_KEY;
  });
}
