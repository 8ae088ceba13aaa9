import type { Node } from 'yaml';
import { lineEndOf, type Splice } from '../tracker-format.ts';
import { endOfLine, startOfLine } from './edit-members.ts';
import type { TaskRecord } from './status-plan.ts';

/** A new item behind the last one of a list whose items begin with dashes; `null`: it isn't written so. */
export function addYamlItem(
  text: string,
  items: readonly Node[],
  record: TaskRecord,
): readonly Splice[] | null {
  const last = items.at(-1);
  const dash = last === undefined ? null : dashOf(text, last);
  if (last === undefined || dash === null) return null;
  const eol = lineEndOf(text);
  const members = Object.entries(record).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const at = endOf(text, last);
  return [
    {
      from: at,
      to: at,
      text: `${eol}${dash.prefix}${members.join(`${eol}${' '.repeat(dash.prefix.length)}`)}`,
    },
  ];
}

/** All lines of an item, with the comments behind it up to the next. */
export function removeYamlItem(
  text: string,
  items: readonly Node[],
  place: number,
): readonly Splice[] | null {
  const item = items[place];
  const dash = item === undefined ? null : dashOf(text, item);
  if (item === undefined || dash === null) return null;
  const next = items[place + 1];
  const following = next === undefined ? null : dashOf(text, next);
  if (next !== undefined && following === null) return null;
  if (following !== null) return [{ from: dash.at, to: following.at, text: '' }];
  const end = text.indexOf('\n', endOf(text, item));
  return [{ from: dash.at, to: end === -1 ? text.length : end + 1, text: '' }];
}

/** Where the line of an item begins, and what stands before the item on it. */
function dashOf(text: string, { range }: Node): { readonly at: number; readonly prefix: string } | null {
  if (!range) return null;
  const at = startOfLine(text, range[0]);
  const prefix = text.slice(at, range[0]);
  return /^ *- +$/.test(prefix) ? { at, prefix } : null;
}

/** The end of the line with the last character of an item that isn't white space. */
function endOf(text: string, { range }: Node): number {
  return endOfLine(text, text.slice(0, range?.[1] ?? 0).trimEnd().length);
}
