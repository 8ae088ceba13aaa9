import { isTemporary } from 'ralph-kit/paths';

/**
 * A word as far as it is known before the command runs; `head` is its fixed beginning. `exact` has no `tail`. The tail of a `glob` names
 * files in the folder that the head ends in, unless it contains `..`. Of an `unknown` word only the head is certain. Unknown pieces in the
 * tail are `UNKNOWN_MARK`.
 */
export type Field = {
  readonly kind: 'exact' | 'glob' | 'unknown';
  readonly head: string;
  readonly tail: string;
};

/** A private-use character: text that contains it counts as unknown, wherever it came from. */
export const UNKNOWN_MARK = '\uE000';
/** Stands for a piece of text without a slash, such as a number. */
const SOME_MARK = '\uE001';
/** Stands for the part of a name that `mktemp` chooses, which no earlier file has. */
const MADE_MARK = '\uE002';

/** Stands for text from the network. */
export const DOWNLOADED_MARK = '\uE003';
/** Stands for text that contains keys, tokens or passwords. */
export const SECRET_MARK = '\uE004';
/** Stands for text that the command decodes from something unknown: `base64 -d`, `gunzip`. */
export const HIDDEN_MARK = '\uE005';
const MARKS = /[\uE000-\uE005]/;
const FROM_ELSEWHERE = /[\uE003-\uE005]/g;

export function sourcesIn(text: string): string {
  return [...new Set(text.match(FROM_ELSEWHERE))].join('');
}

export const UNKNOWN: Field = { kind: 'unknown', head: '', tail: UNKNOWN_MARK };
export const SOME_NAME: Field = { kind: 'glob', head: '', tail: SOME_MARK };
export const MADE_NAME: Field = { kind: 'glob', head: '', tail: MADE_MARK };

/** Characters of a word that are read: a script can double a text without end, and longer words aren't paths. */
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

/** Returns the field of a text in which `*`, `?` and `[` match names. */
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

export function joinWithSpaces(fields: readonly Field[]): Field {
  const [first, ...rest] = fields;
  if (first === undefined) return exactField('');
  return rest.reduce((text, field) => joinFields(joinFields(text, exactField(' ')), field), first);
}

export function fieldText(field: Field): string {
  return field.head + field.tail;
}

export function isNamed({ kind, tail }: Field): boolean {
  return kind === 'exact' || (kind === 'glob' && !/[*?[]/.test(tail));
}

export function shownField(field: Field): string {
  return fieldText(field).replaceAll(/[\uE000-\uE005]+/g, '…');
}

/** Returns the last part of a path, which can't lead elsewhere. */
export function baseName(field: Field): Field {
  if (field.kind === 'exact') return exactField(field.head.replace(/\/+$/, '').replace(/^.*\//s, ''));
  return field.kind === 'glob' ? SOME_NAME : UNKNOWN;
}

/** Returns whether a word is a whole path that `mktemp` just made. A part isn't enough: with an empty `$T`, `$T/x` is `/x`. */
export function isMadeHere({ kind, head, tail }: Field, tmpdir: string): boolean {
  const isAmongThem = isTemporary(head) || head.startsWith(`${tmpdir}/`);
  return isAmongThem && kind === 'glob' && tail === MADE_NAME.tail;
}
