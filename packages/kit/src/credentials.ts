import { parsePatch } from './formats/patch.ts';
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
  const suspects: AddedLine[] = [];
  for (const { newPath, before, after } of parsePatch(patch)) {
    const added = after.filter(({ changed }) => changed);
    for (const [index, line] of added.entries()) {
      const next = added[index + 1];
      const isNext = next?.number === line.number + 1;
      if (ANY.test(line.text))
        suspects.push({ ...line, path: newPath ?? '', next: isNext ? next.text : null });
    }
    // Lines that stay are on both sides.
    for (const { text } of before)
      if (ANY.test(text)) for (const { value } of tokensIn(text)) known.add(value);
  }
  const found: Found[] = [];
  for (const line of suspects) {
    if (found.length >= MOST) break;
    const { path, number } = line;
    const kinds = new Set(
      tokensIn(line.text).flatMap(({ kind, value }) => (known.has(value) || isMadeUp(value) ? [] : [kind])),
    );
    if (KEY_BEGINS.test(line.text) && !TEST_PATH.test(path) && hasBody(line)) kinds.add('private key');
    for (const kind of kinds) found.push({ path, line: number, kind });
  }
  return found;
}

type AddedLine = {
  readonly path: string;
  readonly number: number;
  readonly text: string;
  /** Text of the added line below; `null`: none is added there. */
  readonly next: string | null;
};

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
function hasBody({ text, next }: AddedLine): boolean {
  const behind = text.slice((KEY_BEGINS.exec(text)?.index ?? 0) + 10).replaceAll('\\n', ' ');
  return [behind, next ?? ''].some((one) => {
    const body = KEY_BODY.exec(one)?.groups?.body;
    return body !== undefined && new Set(body).size >= LEAST_IN_KEY;
  });
}
