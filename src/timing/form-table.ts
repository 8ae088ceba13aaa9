import type { BuiltInLevelName } from './levels.ts';
import type { Strength } from './vocabulary.ts';

/** Endings of files of source and of settings. */
const FILES =
  '.py .js .jsx .ts .tsx .mjs .go .rs .rb .java .kt .swift .cpp .cs .php .sql .sh .yml .yaml .json .toml .ini .tfvars .md .html .css .strings .xml'.split(
    ' ',
  );

/** Something told by a form rather than by words. */
export type Form = {
  readonly speaksFor: readonly { readonly level: BuiltInLevelName; readonly strength: Strength }[];
  /** A text in lower case has the form only if it holds one of these: they are found much faster than the pattern. */
  readonly needs: readonly string[] | RegExp;
  readonly pattern: RegExp;
};

/** A name in backquotes, a call, a name with `_` in it. */
const CODE = { needs: ['`', '(', '_'], pattern: /`[^`\s]+`|\b\w+\(|\b[a-z]+_\w+\b/u };

/** The name of a file. */
const FILE = {
  needs: /\.[a-z]/,
  pattern: new RegExp(`[\\w@/.-]*\\w\\.(?:${FILES.map((ending) => ending.slice(1)).join('|')})\\b`, 'u'),
};

/** Whether a text in lower case names a place in the code. */
export const CODE_FORMS = [CODE, FILE] as const;

const SMALL_EDIT = { level: 'simple', strength: 'strong' } as const;
const SMALL_EDIT_HINT = { level: 'simple', strength: 'clear' } as const;
const BOUNDED_PIECE = { level: 'medium', strength: 'strong' } as const;
const BOUNDED_PIECE_HINT = { level: 'medium', strength: 'clear' } as const;
const LARGE_HINT = { level: 'complex', strength: 'clear' } as const;

export const FORMS: readonly Form[] = [
  // "15d → 30d", "4.4 -> 4.5", "from 2 to 3": one value becomes another.
  {
    speaksFor: [SMALL_EDIT],
    needs: ['→', '->', '=>'],
    pattern: /\d[\w.]*\s*(?:→|->|=>)\s*v?\d[\w.]*/u,
  },
  { speaksFor: [SMALL_EDIT], needs: ['from '], pattern: /\bfrom\s+v?\d\S*\s+to\s+v?\d\S*/u },
  // "to 25 mb", "to 4.4.3".
  {
    speaksFor: [SMALL_EDIT],
    needs: ['to '],
    pattern: /\bto\s+v?\d+(?:\.\d+)*(?:\s?(?:[kmg]i?b?|ms|s|min|h|d|%))?(?=$|[\s.,;])/u,
  },
  // "404 instead of 500", "should be 2", "must say staging".
  { speaksFor: [SMALL_EDIT], needs: ['instead of'], pattern: /\b\d+\s+instead\s+of\s+\d+/u },
  {
    speaksFor: [SMALL_EDIT_HINT],
    needs: ['should', 'must'],
    pattern: /\b(?:should|must)\s+(?:be|say|read)\s+["'`#]?[\w.-]+["'`]?(?=$|[\s.,;])/u,
  },
  // Who names the file or the place in the code knows where the edit goes.
  { speaksFor: [SMALL_EDIT], ...FILE },
  { speaksFor: [SMALL_EDIT_HINT, BOUNDED_PIECE_HINT], ...CODE },
  // A request that is named, the status of an answer, an exception: one bounded piece.
  {
    speaksFor: [BOUNDED_PIECE],
    needs: ['get /', 'post /', 'put /', 'patch /', 'delete /'],
    pattern: /\b(?:get|post|put|patch|delete) \/\S*/u,
  },
  { speaksFor: [BOUNDED_PIECE_HINT], needs: ['40', '41', '42'], pattern: /\b4(?:0\d|1\d|2\d)\b/u },
  {
    speaksFor: [BOUNDED_PIECE_HINT],
    needs: ['error', 'exception'],
    pattern: /\b\w+(?:error|exception)\b/u,
  },
  // "takes 9 hours": the size of the thing.
  {
    speaksFor: [LARGE_HINT],
    needs: ['take'],
    pattern: /\btakes?\s+(?:about\s+|around\s+)?\d+\s+(?:seconds|minutes|hours|days)\b/u,
  },
];
