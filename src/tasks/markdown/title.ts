import { readPriority } from '../task-fields.ts';

const WORD = '[^\\s*_()[\\]:#][^\\s*()[\\]:#]{0,79}|#\\d{1,9}';
type Form = 'bold' | 'brackets' | 'parentheses' | 'plain' | 'bare';

/**
 * What an id may stand in, at the beginning of a title; the first group is the id. `may` keeps the patterns from most
 * titles: ten thousand feel them.
 */
const FORMS: readonly {
  readonly form: Form;
  readonly may: (title: string) => boolean;
  readonly pattern: RegExp;
}[] = [
  {
    form: 'bold',
    may: (title) => title.startsWith('**') || title.startsWith('__'),
    pattern: new RegExp(String.raw`^(?:\*\*|__)[[(]?(${WORD})[\])]?:?(?:\*\*|__)`),
  },
  {
    // `[T-9](https://…)`, too.
    form: 'brackets',
    may: (title) => title.startsWith('['),
    pattern: new RegExp(String.raw`^\[(${WORD})\](?:\(\S*\))?(?=[\s:])`),
  },
  {
    form: 'parentheses',
    may: (title) => title.startsWith('('),
    pattern: new RegExp(String.raw`^\((${WORD})\)(?=[\s:])`),
  },
  {
    form: 'plain',
    may: (title) => title.includes(':') || /\s[-–—]\s/.test(title),
    pattern: new RegExp(String.raw`^(${WORD})(?=:\s|\s+[-–—]\s)`),
  },
  {
    form: 'bare',
    may: (title) => title.startsWith('T') || title.startsWith('#'),
    pattern: /^(T-?\d+[a-z]?|#\d{1,9})(?=\s)/,
  },
];

/** Which numbers at the beginning of titles are ids. */
export type NumberIds = 'none' | 'dotted' | 'all';

const NUMBER = /^(?:\*\*)?(\d{1,4}(?:\.\d{1,4})*)(?:\*\*)?[.):]?(?:\*\*)?\s+(?=\S)/;

/**
 * Which numbers are ids in a list of these titles: dotted ones where nearly each is there once (`1.1`, `2.3`), plain ones where
 * every title begins with one of its own.
 */
export function numberIdsOf(titles: readonly string[]): NumberIds {
  const numbers = titles.map((title) => NUMBER.exec(title)?.[1] ?? null);
  const there = numbers.filter((number) => number !== null);
  const seen = new Set<string>();
  const twice = there.filter((number) => seen.has(number) || !seen.add(number));
  // A few dotted ones that are there twice are slips, to be named; plain ones begin anew below each heading.
  const areSlips = twice.every((number) => number.includes('.')) && twice.length * 4 <= there.length;
  if (there.length === 0 || !areSlips) return 'none';
  // One title alone may begin with a number that counts something.
  return there.length === titles.length && titles.length > 1 ? 'all' : 'dotted';
}

/** The number at the beginning of a title, whether it is an id or not. */
export function numberIn(title: string): string | null {
  return NUMBER.exec(title)?.[1] ?? null;
}

function numberOf(title: string, numbers: NumberIds): { id: string; title: string } | null {
  const match = NUMBER.exec(title);
  const id = match?.[1];
  if (match === null || id === undefined || (numbers === 'dotted' && !id.includes('.'))) return null;
  return { id, title: unwrap(untagged(title.slice(match[0].length).trim())) };
}

/** Without what spec-kit and Kiro put between id and title: `[P]` and `(P)` for parallel, `[US1]` for the story of a phase. */
export function untagged(title: string): string {
  const rest = title.replace(/^(?:(?:\[P\]|\(P\)|\[US\d{1,3}\])\s*)+/, '');
  return rest === '' ? title : rest;
}

/** A letter of any script, with its marks. */
const LETTER = String.raw`\p{L}\p{M}*`;
/** `T-9`, `E1-02`, `US_7.1`, `auth-login`, `課題-1`. */
const JOINED = new RegExp(`^${LETTER}(?:${LETTER}|[0-9])*(?:[-_.](?:${LETTER}|[0-9])+)+$`, 'u');
/** `T12`, `US3`. */
const SHORT = new RegExp(`^(?:${LETTER}){1,4}[0-9]+$`, 'u');
/** Words with `-` or `_` between, in lower or in upper case: "Follow-up" is only a word. */
const ONE_CASE =
  /^(?:\p{Ll}[\p{Ll}\p{M}0-9]*(?:[-_][\p{Ll}\p{M}0-9]+)+|\p{Lu}[\p{Lu}\p{M}0-9]*(?:[-_][\p{Lu}\p{M}0-9]+)+)$/u;

/**
 * Takes an explicit id off a title: `**E1-02** title`, `[T-9] title`, `T-9: title`, `#12 title`. What makes a word an id
 * is in docs/CONFIGURATION.md; any other word in bold, in brackets or before a colon is part of the title.
 */
export function splitId(title: string, numbers: NumberIds = 'none'): { id: string | null; title: string } {
  const number = numbers === 'none' ? null : numberOf(title, numbers);
  if (number !== null) return number;
  for (const { form, may, pattern } of FORMS) {
    const match = may(title) ? pattern.exec(title) : null;
    const id = match?.[1];
    if (match === null || id === undefined || !isId(id, form)) continue;
    const rest = title
      .slice(match[0].length)
      .replace(/^\s*(?::|[-–—](?=\s))?\s*/, '')
      .trim();
    if (rest !== '') return { id, title: unwrap(untagged(rest)) };
  }
  return { id: null, title: unwrap(title) };
}

function isId(word: string, form: Form): boolean {
  if (form === 'bare' || word.startsWith('#')) return true;
  // `(A)` and `[P1]` say how urgent a task is, `[high-priority]` is a label of many.
  const isMarked = form === 'bold' || form === 'brackets';
  if (isMarked && (/^[A-Z]$/.test(word) || /^\d+(?:\.\d+)+$/.test(word))) return true;
  if (form === 'bold' && ONE_CASE.test(word)) return true;
  if (!/\d/.test(word)) return false;
  if (JOINED.test(word)) return true;
  if (form === 'brackets' || form === 'parentheses')
    return /^[A-Z]{1,4}\d+$/.test(word) && readPriority(word) === null;
  return SHORT.test(word);
}

/** A title that is bold as a whole is as good without the stars. */
function unwrap(title: string): string {
  const inner = /^\*\*([^*]+)\*\*$/.exec(title)?.[1]?.trim();
  return inner === undefined || inner === '' ? title : inner;
}
