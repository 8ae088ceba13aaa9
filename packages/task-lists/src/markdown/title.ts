import { readPriority } from '../task-fields.ts';

const WORD = '[^\\s*_()[\\]:#][^\\s*()[\\]:#]{0,79}|#\\d{1,9}';
type Form = 'bold' | 'brackets' | 'parentheses' | 'plain' | 'bare';

/**
 * Forms of an id at the beginning of a title; the first group is the id. `may` is a quick test that spares most titles
 * the patterns, which matters with ten thousand tasks.
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
    // An id in brackets, which may also be a link: `[T-9](https://…)`.
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

/** Numbers at the beginning of titles that count as ids. */
export type NumberIds = 'none' | 'dotted' | 'all';

const NUMBER = /^(?:\*\*)?(\d{1,4}(?:\.\d{1,4})*)(?:\*\*)?[.):]?(?:\*\*)?\s+(?=\S)/;

/**
 * Returns which numbers are ids in a list with these titles: dotted ones if almost every one is unique (`1.1`, `2.3`),
 * plain ones if every title begins with its own number.
 */
export function numberIdsOf(titles: readonly string[]): NumberIds {
  const numbers = titles.map((title) => NUMBER.exec(title)?.[1] ?? null);
  const there = numbers.filter((number) => number !== null);
  const seen = new Set<string>();
  const twice = there.filter((number) => seen.has(number) || !seen.add(number));
  // A few repeated dotted numbers are mistakes to report. Plain numbers may restart below each heading.
  const areSlips = twice.every((number) => number.includes('.')) && twice.length * 4 <= there.length;
  if (there.length === 0 || !areSlips) return 'none';
  // A single title may begin with a number that isn't an id, such as a count.
  return there.length === titles.length && titles.length > 1 ? 'all' : 'dotted';
}

/** Returns the number at the beginning of a title, even if it isn't an id; `null`: there is none. */
export function numberIn(title: string): string | null {
  return NUMBER.exec(title)?.[1] ?? null;
}

function numberOf(title: string, numbers: NumberIds): { id: string; title: string } | null {
  const match = NUMBER.exec(title);
  const id = match?.[1];
  if (match === null || id === undefined || (numbers === 'dotted' && !id.includes('.'))) return null;
  return { id, title: unwrap(untagged(title.slice(match[0].length).trim())) };
}

/** Returns the marks of spec-kit and Kiro at the beginning of a title, after the id: `[P]`, `(P)`, `[US1]`. */
export function tagsOf(title: string): string[] {
  const [marks = ''] = /^\S+\s+(?:(?:\[P\]|\(P\)|\[US\d{1,3}\])\s+)+/.exec(title) ?? [];
  return marks.match(/\[P\]|\(P\)|\[US\d+\]/g) ?? [];
}

/**
 * Returns the title without marks that spec-kit and Kiro put after the id: `[P]` and `(P)` for parallel, `[US1]` for
 * the story of a phase.
 */
export function untagged(title: string): string {
  const rest = title.replace(/^(?:(?:\[P\]|\(P\)|\[US\d{1,3}\])\s*)+/, '');
  return rest === '' ? title : rest;
}

/** A letter of any script, with its combining marks. */
const LETTER = String.raw`\p{L}\p{M}*`;
/** Ids such as `T-9`, `E1-02`, `US_7.1`, `auth-login`, `課題-1`. */
const JOINED = new RegExp(`^${LETTER}(?:${LETTER}|[0-9])*(?:[-_.](?:${LETTER}|[0-9])+)+$`, 'u');
/** Matches ids such as `T12` and `US3` at the beginning of a title. */
const SHORT = new RegExp(`^(?:${LETTER}){1,4}[0-9]+$`, 'u');
/** Words joined by `-` or `_` in only lower or only upper case. "Follow-up" is just a word. */
const ONE_CASE =
  /^(?:\p{Ll}[\p{Ll}\p{M}0-9]*(?:[-_][\p{Ll}\p{M}0-9]+)+|\p{Lu}[\p{Lu}\p{M}0-9]*(?:[-_][\p{Lu}\p{M}0-9]+)+)$/u;

/** Returns a text that is struck through as a whole, so that it isn't asked for any more; `null`: it isn't. */
export function withinStrikes(text: string): string | null {
  return /^~~((?:(?!~~).)+)~~$/.exec(text)?.[1] ?? null;
}

/**
 * Separates an explicit id from its title: `**E1-02** title`, `[T-9] title`, `T-9: title`, `#12 title`.
 * docs/CONFIGURATION.md says which words are ids; any other word in bold, in brackets or before a colon stays in the
 * title.
 */
export function splitId(title: string, numbers: NumberIds = 'none'): { id: string | null; title: string } {
  const struck = withinStrikes(title);
  if (struck !== null) return splitId(struck, numbers);
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
  // `(A)` and `[P1]` are priorities, and `[high-priority]` is a label for many tasks.
  const isMarked = form === 'bold' || form === 'brackets';
  if (isMarked && (/^[A-Z]$/.test(word) || /^\d+(?:\.\d+)+$/.test(word))) return true;
  if (form === 'bold' && ONE_CASE.test(word)) return true;
  if (!/\d/.test(word)) return false;
  if (JOINED.test(word)) return true;
  if (form === 'brackets' || form === 'parentheses')
    return /^[A-Z]{1,4}\d+$/.test(word) && readPriority(word) === null;
  return SHORT.test(word);
}

/** Removes the stars around a title that is bold as a whole. */
function unwrap(title: string): string {
  const inner = /^\*\*([^*]+)\*\*$/.exec(title)?.[1]?.trim();
  return inner === undefined || inner === '' ? title : inner;
}
