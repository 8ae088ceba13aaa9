import { lineEndOf, type Splice } from '../task-list.ts';
import type { KeyChange } from './status-plan.ts';

/**
 * A key with its value in a text. Offsets are in UTF-16 units, `to` exclusive. `scalar`: the value is one plain or
 * quoted text.
 */
export type Member = {
  readonly key: string;
  readonly keyFrom: number;
  readonly keyTo: number;
  readonly from: number;
  readonly to: number;
  readonly scalar: boolean;
};

/** Syntax of one kind of mapping. */
export type MapStyle = {
  /** Keys after which a missing key is inserted, the preferred one first. */
  readonly anchors: readonly string[];
  /** Member after which a key is inserted if there is no anchor. */
  readonly otherwise: 'first' | 'last';
  /** Returns whether a key can be inserted after this member. */
  readonly carries: (text: string, member: Member) => boolean;
  readonly replace: (text: string, member: Member, value: boolean | string) => Splice;
  /** Returns the splice that removes a member; `null`: it would remove more than the member. */
  readonly remove: (text: string, members: readonly Member[], index: number) => Splice | null;
  readonly insert: (text: string, anchor: Member, first: Member, change: KeyChange) => Splice;
};

/** Returns the splices for these changes of a mapping; `null`: there is no place to insert a key. */
export function changeMembers(
  text: string,
  members: readonly Member[],
  changes: readonly KeyChange[],
  style: MapStyle,
): Splice[] | null {
  const splices: Splice[] = [];
  const removed = new Set(changes.filter((change) => change.kind === 'remove').map((change) => change.key));
  for (const change of changes) {
    // JSON.parse uses the last of equal keys, so the last one is edited.
    const index = members.findLastIndex((member) => member.key === change.key);
    const member = members[index];
    if (member !== undefined) {
      const without = change.kind === 'remove' ? style.remove(text, members, index) : null;
      splices.push(without ?? style.replace(text, member, change.value));
      continue;
    }
    const carriers = members.filter((other) => !removed.has(other.key) && style.carries(text, other));
    const anchor =
      style.anchors.map((key) => carriers.findLast((other) => other.key === key)).find(Boolean) ??
      carriers.at(style.otherwise === 'first' ? 0 : -1);
    if (anchor === undefined) return null;
    splices.push(style.insert(text, anchor, members[0] ?? anchor, change));
  }
  return splices;
}

export const JSON_STYLE: MapStyle = {
  anchors: ['passes', 'completed', 'done', 'complete', 'status', 'blocked'],
  otherwise: 'last',
  carries: () => true,
  replace: (_, { from, to }, value) => ({ from, to, text: JSON.stringify(value) }),
  remove: (_, members, index) => withComma(members, index),
  // The new key gets the same white space as the anchor.
  insert: (text, anchor, _, { key, value }) => {
    const space = /\s*$/.exec(text.slice(0, anchor.keyFrom))?.[0] ?? '';
    const colon = text.slice(anchor.keyTo, anchor.from);
    const member = `,${space}${JSON.stringify(key)}${colon}${JSON.stringify(value)}`;
    return { from: anchor.to, to: anchor.to, text: member };
  },
};

const YAML_ANCHORS = ['completed', 'passes', 'done', 'complete', 'status', 'blocked', 'title', 'id'];

/** A YAML mapping in braces (flow style). */
export const FLOW_STYLE: MapStyle = {
  anchors: YAML_ANCHORS,
  otherwise: 'last',
  carries: () => true,
  replace: replaceScalar,
  remove: (_, members, index) => (index === 0 ? null : withComma(members, index)),
  insert: (_, { to }, __, { key, value }) => ({ from: to, to, text: `, ${key}: ${value}` }),
};

/** A YAML mapping with one line for each key (block style). */
export const BLOCK_STYLE: MapStyle = {
  anchors: YAML_ANCHORS,
  otherwise: 'first',
  carries: (text, member) => member.scalar && isOneLine(text, member),
  replace: replaceScalar,
  remove: (text, members, index) => ownLine(text, members[index]),
  insert: (text, anchor, first, { key, value }) => {
    const end = endOfLine(text, anchor.to);
    const indent = ' '.repeat(first.keyFrom - startOfLine(text, first.keyFrom));
    return { from: end, to: end, text: `${lineEndOf(text)}${indent}${key}: ${value}` };
  },
};

/** A part of a text. Offsets are in UTF-16 units, `to` exclusive. */
export type Range = Pick<Splice, 'from' | 'to'>;

/**
 * Returns the splice that removes an item from a list, with the comma before it; for the first item, with the comma
 * after it.
 */
export function withoutItem(items: readonly Range[], index: number): Splice | null {
  const item = items[index];
  if (item === undefined) return null;
  const previous = items[index - 1];
  if (previous !== undefined) return { from: previous.to, to: item.to, text: '' };
  return { from: item.from, to: items[index + 1]?.from ?? item.to, text: '' };
}

function withComma(members: readonly Member[], index: number): Splice | null {
  return withoutItem(
    members.map(({ keyFrom, to }) => ({ from: keyFrom, to })),
    index,
  );
}

function replaceScalar(text: string, member: Member, value: boolean | string): Splice {
  // A key without a value ends at its colon, or is followed by spaces and a comment.
  const empty = member.from === member.to;
  const gap = empty && text[member.from - 1] === ':' ? ' ' : '';
  const first = text[member.from];
  const quote = typeof value === 'string' && (first === '"' || first === "'") ? first : '';
  return { from: member.from, to: member.to, text: `${gap}${quote}${value}${quote}` };
}

/** Returns the member's line with the line end before it; `null`: the line has other content. */
function ownLine(text: string, member: Member | undefined): Splice | null {
  if (member === undefined || !isOneLine(text, member)) return null;
  const start = startOfLine(text, member.keyFrom);
  const end = endOfLine(text, member.to);
  const alone = text.slice(start, member.keyFrom).trim() === '' && text.slice(member.to, end).trim() === '';
  if (!alone || start === 0) return null;
  return { from: text[start - 2] === '\r' ? start - 2 : start - 1, to: end, text: '' };
}

function isOneLine(text: string, member: Member): boolean {
  return !text.slice(member.keyFrom, member.to).includes('\n');
}

/** Returns the offset of the first character of the line. */
export function startOfLine(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** Returns the offset of the line end (`\r\n` or `\n`), or the end of the text. */
export function endOfLine(text: string, at: number): number {
  const lineFeed = text.indexOf('\n', at);
  if (lineFeed === -1) return text.length;
  return text[lineFeed - 1] === '\r' ? lineFeed - 1 : lineFeed;
}
