import { normalisePath, pathStrength } from './path-names.ts';

/** A file in a text with its lines `from` to `to`, counted from 1; `null` without lines. */
export type PathRef = { readonly path: string; readonly from: number | null; readonly to: number | null };

/** Characters of a word; longer ones aren't paths. This also bounds the work on each word. */
const LONGEST_WORD = 400;

const RANGE = String.raw`L?(\d{1,7})(?::\d{1,7})?(?:(?:-|–|—|\.\.)L?(\d{1,7})(?::\d{1,7})?)?`;
/** Matches `:10`, `:10-42`, `:10:5`, `:L10-L42`, `#L10-L42`. More ranges after a comma are ignored. */
const SUFFIX = new RegExp(String.raw`^(.+?)(?::|#)${RANGE}(?:,\d[\d,–-]*)?$`);
const BEHIND = [
  // Matches `(lines 10-42)`, ` line 10`, `, lines 10 to 42`.
  /^\s?[,(:]?\s?\(?(?:lines?|ln)\s(\d{1,7})(?:\s?(?:-|–|—|\.\.|to)\s?(\d{1,7}))?\)?/i,
  // Matches lines in a form such as ` L10-L42` or `(L10)`, after a path.
  /^\s?[(:#@]?L(\d{1,7})(?:\s?[-–—]\s?L?(\d{1,7}))?\b\)?/,
  // Matches `:10-42` after a closing backtick.
  /^[:#](\d{1,7})(?:(?:-|–|—|\.\.)(\d{1,7}))?/,
  // Matches lines in a form such as ` (10-42)`, after a path.
  /^\s\((\d{1,7})[-–—](\d{1,7})\)/,
];

/** Returns a word as a path with its lines, or `null`. With `quoted` it is set as code, so a doubtful name counts, too. */
export function readPathWord(word: string, quoted: boolean): PathRef | null {
  if (word.length > LONGEST_WORD) return null;
  const match = SUFFIX.exec(word);
  const path = normalisePath(match?.[1] ?? word);
  const strength = pathStrength(path);
  if (strength === 'none') return null;
  const lines = lineRange(match?.[2], match?.[3]);
  const sure = strength === 'strong' || quoted || (lines.from !== null && path.includes('/'));
  return sure ? { path, ...lines } : null;
}

/** Returns the lines in the text right after a path. `length` is the number of characters that name them, 0 without any. */
export function readLinesBehind(text: string): {
  readonly from: number | null;
  readonly to: number | null;
  readonly length: number;
} {
  const start = text.slice(0, 60);
  for (const pattern of BEHIND) {
    const match = pattern.exec(start);
    if (match !== null) return { ...lineRange(match[1], match[2]), length: match[0].length };
  }
  return { from: null, to: null, length: 0 };
}

function lineRange(
  from: string | undefined,
  to: string | undefined,
): { from: number | null; to: number | null } {
  const first = Number(from ?? 0);
  if (first < 1) return { from: null, to: null };
  const last = Number(to ?? first);
  return { from: first, to: Math.max(first, last) };
}
