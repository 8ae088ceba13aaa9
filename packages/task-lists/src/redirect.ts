import { assignIds } from './assign-ids.ts';
import { referenceReader } from './dependencies.ts';
import type { RememberedId } from './task.ts';
import { BETWEEN, JOINING } from './task-fields.ts';
import { applySplices, lineEndOf, type Reading, type Splice, type TrackerReader } from './task-list.ts';

/** Maximum number of places of a reference that are tried. */
const MOST_TRIES = 200;
/** Maximum number of places that are tried for a reference that stands twice. */
const MOST_TWICE = 10;

/** A list as it is edited: its text, and how it is read. */
export type EditedList = {
  readonly text: string;
  readonly path: string;
  readonly reader: TrackerReader;
  readonly remembered: readonly RememberedId[];
};

/** What the references of a list mean. */
export type Meanings = {
  /** Id of each draft. */
  readonly ids: readonly string[];
  /** Returns the ids that a reference of a draft means; `null` stands for a task that isn't in the list. */
  readonly of: (index: number, reference: string) => readonly (string | null)[];
};

/** @param isTask Whether a draft has a number in the list, by which references may name it. */
export function meaningsIn(
  { drafts, givenUp = [], givenUpFrees = false }: Reading,
  remembered: readonly RememberedId[],
  isTask: (index: number) => boolean,
): Meanings {
  const { ids } = assignIds(drafts, remembered);
  const over = givenUp.map(({ id }) => id);
  const numbered = ids.filter((_, index) => isTask(index));
  const known = new Set(numbered);
  const read = referenceReader(numbered, givenUpFrees ? { freed: over } : { kept: over });
  const of = (index: number, reference: string) =>
    read(reference, ids[index] ?? '').map((id) => (known.has(id) ? id : null));
  return { ids, of };
}

export type Rewritten = {
  readonly text: string;
  /** Words beside references that went with them, each with the position of its draft. */
  readonly gone: readonly { readonly index: number; readonly words: string }[];
  /** References that can't be changed where they stand. */
  readonly stuck: readonly { readonly index: number; readonly reference: string }[];
};

/**
 * Returns the text in which references are replaced by others; a reference without others is removed. This function
 * doesn't know how a format writes lists of references: it tries each place of a reference, and takes the first edit
 * that reads as intended.
 *
 * @param namesFor Returns the references to write in place of one of a draft; `null`: it stays as it is.
 */
export function rewriteReferences(
  { text, path, reader }: EditedList,
  namesFor: (index: number, reference: string) => readonly string[] | null,
): Rewritten {
  const gone: Rewritten['gone'][number][] = [];
  const stuck: Rewritten['stuck'][number][] = [];
  let now = text;
  const read = reader(text, path);
  const drafts = read.ok ? read.reading.drafts : [];
  for (const [index, { task }] of drafts.entries()) {
    // Numbers become smaller by one, so the smallest comes first: no two of them are ever the same.
    for (const reference of task.dependsOn.toSorted((a, b) => numberOf(a) - numberOf(b))) {
      const names = namesFor(index, reference);
      if (names === null) continue;
      const edited = replaceReference({ text: now, path, reader }, index, reference, names);
      if (edited === null) stuck.push({ index, reference });
      else now = edited.text;
      const words = edited?.gone.trim() ?? '';
      if (/[\p{L}\p{N}]/u.test(words)) gone.push({ index, words });
    }
  }
  return { text: now, gone, stuck };
}

function numberOf(reference: string): number {
  return /^#?\d+$/.test(reference) ? Number(reference.replace('#', '')) : 0;
}

type Edit = Splice & { readonly gone: string };

function replaceReference(
  { text, path, reader }: Omit<EditedList, 'remembered'>,
  index: number,
  reference: string,
  names: readonly string[],
): { readonly text: string; readonly gone: string } | null {
  const read = reader(text, path);
  if (!read.ok) return null;
  const { format, drafts, lineOf } = read.reading;
  const swap = (all: readonly string[]) => [
    ...new Set(all.flatMap((one) => (one === reference ? names : [one]))),
  ];
  const wanted = JSON.stringify(
    drafts.map((one, at) =>
      at === index ? { ...one, task: { ...one.task, dependsOn: swap(one.task.dependsOn) } } : one,
    ),
  );
  const first = lineStart(text, lineOf(index, 'dependsOn') ?? 1);
  for (const at of placesOf(reference, text, first)) {
    const end = at + reference.length;
    const edits =
      names.length === 0
        ? removalsAt(text, at, end, format === 'yaml' || format === 'backlog')
        : joinsAt(text, at).map((join) => ({ from: at, to: end, text: names.join(join), gone: '' }));
    for (const edit of edits) {
      const tried = applySplices(text, [edit]);
      const again = reader(tried, path);
      if (again.ok && JSON.stringify(again.reading.drafts) === wanted)
        return { text: tried, gone: edit.gone };
    }
  }
  const twice = withOwnName({ text, path, reader }, index, reference);
  if (twice === null) return null;
  const one = replaceReference({ text: twice.text, path, reader }, index, twice.name, names);
  const rest = one && replaceReference({ text: one.text, path, reader }, index, reference, names);
  return rest && { text: rest.text, gone: `${one.gone} ${rest.gone}` };
}

/**
 * Returns the text with a name of its own at the second place of a reference that a draft has twice, since both are read
 * as one; `null`: it hasn't.
 */
function withOwnName(
  { text, path, reader }: Omit<EditedList, 'remembered'>,
  index: number,
  reference: string,
): { readonly text: string; readonly name: string } | null {
  const read = reader(text, path);
  if (!read.ok) return null;
  let name = `${reference}999`;
  while (text.includes(name)) name += '9';
  const shape = (drafts: Reading['drafts'], added: readonly string[]) =>
    JSON.stringify(
      drafts.map((one, at) =>
        at === index
          ? { ...one, task: { ...one.task, dependsOn: [...one.task.dependsOn, ...added].sort() } }
          : one,
      ),
    );
  const wanted = shape(read.reading.drafts, [name]);
  const first = lineStart(text, read.reading.lineOf(index, 'dependsOn') ?? 1);
  for (const at of placesOf(reference, text, first).slice(1, MOST_TWICE)) {
    const tried = applySplices(text, [{ from: at, to: at + reference.length, text: name }]);
    const again = reader(tried, path);
    if (again.ok && shape(again.reading.drafts, []) === wanted) return { text: tried, name };
  }
  return null;
}

function lineStart(text: string, line: number): number {
  return text.split('\n', line - 1).reduce((at, { length }) => at + length + 1, 0);
}

/** Returns whether a text has the reference as a whole word. */
export function mentions(text: string, reference: string): boolean {
  return placesOf(reference, text, 0).length > 0;
}

/** Returns the offsets from `from` on at which the reference stands as a whole word, or in italics. */
function placesOf(reference: string, text: string, from: number): number[] {
  const word = reference.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  const found = text
    .slice(from)
    .matchAll(new RegExp(`(?<![A-Za-z0-9.-]_*)${word}(?!_*[A-Za-z0-9-]|\\.\\w)`, 'g'));
  return [...found].slice(0, MOST_TRIES).map(({ index }) => from + index);
}

/**
 * Returns separators that may fit between references at this place: for prose, for quoted names, or for one name per
 * line.
 */
function joinsAt(text: string, at: number): string[] {
  const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  const quote = /^\s*-\s+(["']?)$/.exec(before)?.[1];
  return [', ', '", "', "', '", ...(quote === undefined ? [] : [`${quote}${lineEndOf(text)}${before}`])];
}

/** A line that has nothing but this reference: an attribute, or an item of a list. */
const ALONE =
  /^\s*(?:(?:[-*+]|\d+[.)])\s+(?:\[[^\]]\]\s+)?)?(?:[*_]*[A-Za-z][A-Za-z _-]*[*_]*:[*_]*\s*|(?:depends on|blocked by)\s+)?$/i;
/** What goes with a reference that is removed from a list on one line. */
const SEPARATOR = String.raw`\s*[,;]\s*(?:(?:and|&|${JOINING.words})\s+)?|\s+(?:and|${JOINING.words})\s+|\s*(?:/|${JOINING.signs})\s*`;
const SEPARATOR_BEFORE = new RegExp(String.raw`(?:${SEPARATOR}|[ \t]+)$`, 'i');
const SEPARATOR_AFTER = new RegExp(String.raw`^(?:${SEPARATOR}|[ \t]+(?!<!--)(?=\S))`, 'i');
/** Words that belong to the reference before them. */
const ITS_WORDS = new RegExp(String.raw`^(?:\s*\([^()\r\n]*\)|(?!\s*<!--|${BETWEEN})[^\r\n])*`, 'i');
/** A label over a list, in the line above its first item. */
const LABEL = /(?:^|\n)([ \t]*(?:[-*+][ \t]+)?[*_]*[A-Za-z][A-Za-z _-]*[*_]*:[*_]*[ \t]*\r?\n)$/;

/**
 * Returns the ways in which a reference may be removed: with its line, with the separator after it or before it, or
 * alone. Quotes, backticks, bold and a link around it go, too. A comment on its line stays; words that belong to the
 * reference, such as `T-2 (for the parser)`, go with it.
 *
 * @param isYaml Whether comments begin with `#`, and not with `<!--`.
 */
function removalsAt(text: string, at: number, end: number, isYaml: boolean): Edit[] {
  const [from, to] = withMarkup(text, at, end);
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const lineFeed = text.indexOf('\n', to);
  const next = lineFeed === -1 ? text.length : lineFeed + 1;
  const rest = text.slice(to, next);
  const begin = text.slice(start, from);
  const comment = isYaml ? rest.search(/(?<=\s)#/) : rest.indexOf('<!--');
  const edits: Edit[] = [];
  const add = (first: number, last: number, gone = '', put = '') =>
    edits.push({ from: first, to: last, text: put, gone });
  const words = ITS_WORDS.exec(rest)?.[0].trimEnd() ?? '';
  if (ALONE.test(begin)) {
    const label = LABEL.exec(text.slice(0, start))?.[1] ?? '';
    const indent = /^\s*/.exec(begin)?.[0] ?? '';
    if (comment !== -1 && rest.slice(0, comment).trim() === '') add(start, to + comment, '', indent);
    else if (rest.trim() === words.trim()) {
      // A label whose list is empty by then goes along.
      if (label !== '' && /^\s*(?:[-*+]|\d+[.)])\s/.test(begin)) add(start - label.length, next, words);
      add(start, next, words);
    }
  }
  // In JSON over several lines, the comma before the last reference ends the line above.
  const before = SEPARATOR_BEFORE.exec(text.slice(Math.max(0, from - 200), from))?.[0] ?? '';
  for (const gone of new Set([words, ''])) {
    const last = to + gone.length;
    const sameLine = SEPARATOR_AFTER.exec(text.slice(last, next))?.[0] ?? '';
    const indent = sameLine.endsWith('\n') ? /^[ \t]*/.exec(text.slice(next))?.[0] : '';
    const after = `${sameLine}${indent}`;
    if (after !== '') add(from, last + after.length, gone);
    if (before !== '') add(from - before.length, last, gone);
    add(from, last, gone);
  }
  if (from < at) add(at, end);
  return edits;
}

/** Returns the range of a reference with the quotes, the bold or italic marks and the link around it. */
function withMarkup(text: string, at: number, end: number): readonly [from: number, to: number] {
  const link = text[at - 1] === '[' ? /^\]\([^()\r\n]*\)/.exec(text.slice(end))?.[0] : undefined;
  if (link !== undefined) return withMarkup(text, at - 1, end + link.length);
  const mark = /(?:["'`]|\*+|_+)$/.exec(text.slice(Math.max(0, at - 3), at))?.[0];
  return mark !== undefined && text.startsWith(mark, end)
    ? withMarkup(text, at - mark.length, end + mark.length)
    : [at, end];
}
