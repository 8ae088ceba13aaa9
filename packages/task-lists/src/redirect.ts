import { assignIds } from './assign-ids.ts';
import { taskFinder } from './dependencies.ts';
import type { RememberedId } from './task.ts';
import { applySplices, lineEndOf, type Splice, type TrackerReader } from './task-list.ts';

/** Maximum number of places of a reference that are tried. */
const MOST_TRIES = 200;

/**
 * Returns the text in which references to one task are replaced by references to others; without others, they are
 * removed. This function doesn't know how a format writes lists of references: it tries each place of the reference,
 * and takes the first edit that reads as intended.
 */
export function redirect(
  text: string,
  path: string,
  reader: TrackerReader,
  remembered: readonly RememberedId[],
  change: { readonly from: string; readonly to: readonly string[] },
): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string } {
  const read = reader(text, path);
  if (!read.ok) return read;
  const { drafts, lineOf } = read.reading;
  const { ids } = assignIds(drafts, remembered);
  const find = taskFinder(ids);
  const index = drafts.findIndex(({ task }) => task.dependsOn.some((one) => find(one) === change.from));
  const draft = drafts[index];
  const reference = draft?.task.dependsOn.find((one) => find(one) === change.from);
  if (draft === undefined || reference === undefined) return { ok: true, text };
  const dependsOn = [
    ...new Set(draft.task.dependsOn.flatMap((one) => (one === reference ? change.to : [one]))),
  ];
  const wanted = JSON.stringify(
    drafts.map((one, at) => (at === index ? { ...one, task: { ...one.task, dependsOn } } : one)),
  );
  const first = lineStart(text, lineOf(index, 'dependsOn') ?? 1);
  for (const at of placesOf(reference, text, first)) {
    const end = at + reference.length;
    const edits =
      change.to.length === 0
        ? removalsAt(text, at, end)
        : joinsAt(text, at).map((join) => ({ from: at, to: end, text: change.to.join(join) }));
    for (const edit of edits) {
      const tried = applySplices(text, [edit]);
      const again = reader(tried, path);
      if (again.ok && JSON.stringify(again.reading.drafts) === wanted)
        return redirect(tried, path, reader, remembered, change);
    }
  }
  const message = `${path} can't be edited (${ids[index]} depends on ${change.from}, and that can't be changed there); edit it by hand`;
  return { ok: false, message };
}

function lineStart(text: string, line: number): number {
  return text.split('\n', line - 1).reduce((at, { length }) => at + length + 1, 0);
}

/** Returns the offsets from `from` on at which the reference stands as a whole word. */
function placesOf(reference: string, text: string, from: number): number[] {
  const word = reference.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  const found = text.slice(from).matchAll(new RegExp(`(?<![\\w.-])${word}(?![\\w-]|\\.\\w)`, 'g'));
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
const ALONE = /^\s*(?:[-*+]\s+)?(?:[*_]*[A-Za-z][A-Za-z _-]*[*_]*:[*_]*\s*)?$/;

/**
 * Returns the ways in which a reference may be removed: with its line, with the separator after it or before it, or
 * alone. Quotes and backticks around it go, too.
 */
function removalsAt(text: string, at: number, end: number): Splice[] {
  const quote = /["'`]?$/.exec(text.slice(0, at))?.[0] ?? '';
  const isQuoted = quote !== '' && text.startsWith(quote, end);
  const [from, to] = isQuoted ? [at - 1, end + 1] : [at, end];
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const lineFeed = text.indexOf('\n', to);
  const next = lineFeed === -1 ? text.length : lineFeed + 1;
  const isAlone = ALONE.test(text.slice(start, from)) && text.slice(to, next).trim() === '';
  // In JSON over several lines, the comma before the last reference ends the line above.
  const before =
    /(?:\s*[,;]\s*|\s+(?:and|&)\s+)$/i.exec(text.slice(Math.max(0, from - 200), from))?.[0] ?? '';
  const after = /^(?:\s*[,;]\s*|\s+(?:and|&)\s+)/i.exec(text.slice(to, next))?.[0] ?? '';
  return [
    ...(isAlone ? [{ from: start, to: next, text: '' }] : []),
    ...(after === '' ? [] : [{ from, to: to + after.length, text: '' }]),
    ...(before === '' ? [] : [{ from: from - before.length, to, text: '' }]),
    { from, to, text: '' },
  ];
}
