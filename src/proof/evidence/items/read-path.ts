import { normalisePath, pathStrength } from './path-names.ts';

/** A file that a text points to, with the lines if there are any (1-based, inclusive). */
export type PathRef = { readonly path: string; readonly from: number | null; readonly to: number | null };

/** Longer words aren't paths; this also bounds the work on each of them. */
const LONGEST_WORD = 400;

const RANGE = String.raw`L?(\d{1,7})(?::\d{1,7})?(?:(?:-|–|—|\.\.)L?(\d{1,7})(?::\d{1,7})?)?`;
/** `:10`, `:10-42`, `:10:5`, `:L10-L42`, `#L10-L42`, and more ranges behind a comma, which are left aside. */
const SUFFIX = new RegExp(String.raw`^(.+?)(?::|#)${RANGE}(?:,\d[\d,–-]*)?$`);
/** How lines are named behind a path. */
const BEHIND = [
  // `(lines 10-42)`, ` line 10`, `, lines 10 to 42`
  /^\s?[,(:]?\s?\(?(?:lines?|ln)\s(\d{1,7})(?:\s?(?:-|–|—|\.\.|to)\s?(\d{1,7}))?\)?/i,
  // ` L10-L42`, `(L10)`
  /^\s?[(:#@]?L(\d{1,7})(?:\s?[-–—]\s?L?(\d{1,7}))?\b\)?/,
  // `:10-42` behind a closing backtick
  /^[:#](\d{1,7})(?:(?:-|–|—|\.\.)(\d{1,7}))?/,
  // ` (10-42)`
  /^\s\((\d{1,7})[-–—](\d{1,7})\)/,
];

/**
 * Reads one word as a path with its lines; `null` when it names no file. `quoted`: it is set as code, so that a
 * doubtful name counts too.
 */
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

/** The lines named in the text directly behind a path, and how many characters say so (0: none). */
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
