import { isTemporary } from '../../lib/paths.ts';

/**
 * A word of a command as far as it is known before the command runs: `head` is its fixed beginning. `exact` has no
 * `tail`; the tail of a `glob` names files inside the folder that the head ends in, unless it holds `..`; of an
 * `unknown` word nothing is certain but the head. Pieces that are not known stand in the tail as `UNKNOWN_MARK`.
 */
export type Field = {
  readonly kind: 'exact' | 'glob' | 'unknown';
  readonly head: string;
  readonly tail: string;
};

/** From a private use area: a text that holds it is taken for unknown wherever it came from. */
export const UNKNOWN_MARK = '\uE000';
/** Stands for a piece of text without a slash, such as a number: where it comes from, it is never read as a sign. */
const SOME_MARK = '\uE001';
/** Stands for the part of a name that `mktemp` makes up: nothing is called so before. */
const MADE_MARK = '\uE002';

/** Stands for text that came from the network. */
export const DOWNLOADED_MARK = '\uE003';
/** Stands for text that holds keys, tokens or passwords. */
export const SECRET_MARK = '\uE004';
/** Stands for text that was made readable by the command itself, from what isn't known: `base64 -d`, `gunzip`. */
export const HIDDEN_MARK = '\uE005';
const MARKS = /[\uE000-\uE005]/;
const FROM_ELSEWHERE = /[\uE003-\uE005]/g;

/** Where the unknown pieces of a text come from, as marks, each once. */
export function sourcesIn(text: string): string {
  return [...new Set(text.match(FROM_ELSEWHERE))].join('');
}

export const UNKNOWN: Field = { kind: 'unknown', head: '', tail: UNKNOWN_MARK };
/** Some text without a slash: a number, a date, the name of a user. */
export const SOME_NAME: Field = { kind: 'glob', head: '', tail: SOME_MARK };
/** The part of a name that `mktemp` makes up. */
export const MADE_NAME: Field = { kind: 'glob', head: '', tail: MADE_MARK };

/** Longer words, in characters, aren't paths: a script can double a text as often as it likes. */
export const LONGEST_WORD = 32_768;

export function exactField(text: string): Field {
  if (text.length > LONGEST_WORD) return UNKNOWN;
  const at = text.search(MARKS);
  if (at < 0) return { kind: 'exact', head: text, tail: '' };
  return {
    kind: /[\uE000\uE003-\uE005]/.test(text) ? 'unknown' : 'glob',
    head: text.slice(0, at),
    tail: text.slice(at),
  };
}

/** Text in which `*`, `?` and `[` stand for names. */
export function patternField(text: string): Field {
  const field = exactField(text);
  const at = field.head.search(/[*?[]/);
  if (at < 0) return field;
  const kind = field.kind === 'exact' ? 'glob' : field.kind;
  return { kind, head: field.head.slice(0, at), tail: field.head.slice(at) + field.tail };
}

export function joinFields(left: Field, right: Field): Field {
  const length = left.head.length + left.tail.length + right.head.length + right.tail.length;
  if (length > LONGEST_WORD)
    return { kind: 'unknown', head: left.head, tail: UNKNOWN_MARK + sourcesIn(left.tail + right.tail) };
  if (left.kind === 'exact') return { ...right, head: left.head + right.head };
  const kind = left.kind === 'unknown' || right.kind === 'unknown' ? 'unknown' : 'glob';
  return { kind, head: left.head, tail: left.tail + right.head + right.tail };
}

/** What `$*` makes of several words. */
export function joinWithSpaces(fields: readonly Field[]): Field {
  const [first, ...rest] = fields;
  if (first === undefined) return exactField('');
  return rest.reduce((text, field) => joinFields(joinFields(text, exactField(' ')), field), first);
}

/** The whole word; pieces that are not known are `UNKNOWN_MARK`. */
export function fieldText(field: Field): string {
  return field.head + field.tail;
}

/** Whether it stands for one file: known, or under a name that only the shell makes up. */
export function isNamed({ kind, tail }: Field): boolean {
  return kind === 'exact' || (kind === 'glob' && !/[*?[]/.test(tail));
}

/** The word as it is shown: what isn't known is `…`. */
export function shownField(field: Field): string {
  return fieldText(field).replaceAll(/[\uE000-\uE005]+/g, '…');
}

/** The last part of a path is a name: it leads nowhere else. */
export function baseName(field: Field): Field {
  if (field.kind === 'exact') return exactField(field.head.replace(/\/+$/, '').replace(/^.*\//s, ''));
  return field.kind === 'glob' ? SOME_NAME : UNKNOWN;
}

/**
 * A file or folder that `mktemp` has made in the same command, among the temporary ones: the whole of it, as without it
 * `$T/x` is `/x`.
 */
export function isMadeHere({ kind, head, tail }: Field, tmpdir: string): boolean {
  const isAmongThem = isTemporary(head) || head.startsWith(`${tmpdir}/`);
  return isAmongThem && kind === 'glob' && tail === MADE_NAME.tail;
}
