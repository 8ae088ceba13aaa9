import { lineEndOf, type Splice } from '../tracker-format.ts';
import type { KeyChange } from './status-plan.ts';

/** A key with its value in a text; offsets, `to` exclusive. `scalar`: the value is plain or quoted, in one piece. */
export type Member = {
  readonly key: string;
  readonly keyFrom: number;
  readonly keyTo: number;
  readonly from: number;
  readonly to: number;
  readonly scalar: boolean;
};

/** How one kind of mapping is written. */
export type MapStyle = {
  /** Keys behind which a missing key is put, the strongest first. */
  readonly anchors: readonly string[];
  /** The member behind which it is put where no anchor is there. */
  readonly otherwise: 'first' | 'last';
  /** Whether a key can be put behind this member. */
  readonly carries: (text: string, member: Member) => boolean;
  readonly replace: (text: string, member: Member, value: boolean | string) => Splice;
  /** Takes a member out; `null` where that would take more than the member. */
  readonly remove: (text: string, members: readonly Member[], index: number) => Splice | null;
  readonly insert: (text: string, anchor: Member, first: Member, change: KeyChange) => Splice;
};

/** The splices that make these changes in a mapping; `null` when there is no place to put a key. */
export function changeMembers(
  text: string,
  members: readonly Member[],
  changes: readonly KeyChange[],
  style: MapStyle,
): Splice[] | null {
  const splices: Splice[] = [];
  const removed = new Set(changes.filter((change) => change.kind === 'remove').map((change) => change.key));
  for (const change of changes) {
    // Of equal keys the last one counts, as in JSON.parse.
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
  // With the white space that the anchor has.
  insert: (text, anchor, _, { key, value }) => {
    const space = /\s*$/.exec(text.slice(0, anchor.keyFrom))?.[0] ?? '';
    const colon = text.slice(anchor.keyTo, anchor.from);
    const member = `,${space}${JSON.stringify(key)}${colon}${JSON.stringify(value)}`;
    return { from: anchor.to, to: anchor.to, text: member };
  },
};

const YAML_ANCHORS = ['completed', 'passes', 'done', 'complete', 'status', 'blocked', 'title', 'id'];

/** A YAML mapping in braces. */
export const FLOW_STYLE: MapStyle = {
  anchors: YAML_ANCHORS,
  otherwise: 'last',
  carries: () => true,
  replace: replaceScalar,
  remove: (_, members, index) => (index === 0 ? null : withComma(members, index)),
  insert: (_, { to }, __, { key, value }) => ({ from: to, to, text: `, ${key}: ${value}` }),
};

/** A YAML mapping with a line for each key. */
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

/** A piece of a text; offsets, `to` exclusive. */
export type Range = Pick<Splice, 'from' | 'to'>;

/** Takes an item out of a list, with the comma before it, or behind it where it is the first. */
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
  // A key without a value ends at its colon, or has spaces and a comment behind it.
  const empty = member.from === member.to;
  const gap = empty && text[member.from - 1] === ':' ? ' ' : '';
  const first = text[member.from];
  const quote = typeof value === 'string' && (first === '"' || first === "'") ? first : '';
  return { from: member.from, to: member.to, text: `${gap}${quote}${value}${quote}` };
}

/** The member's line with the line end before it; `null` when something else stands on it. */
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

/** Offset of the first character of a line. */
export function startOfLine(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** Offset of the line end (`\r\n` or `\n`) or of the end of the text. */
export function endOfLine(text: string, at: number): number {
  const lineFeed = text.indexOf('\n', at);
  if (lineFeed === -1) return text.length;
  return text[lineFeed - 1] === '\r' ? lineFeed - 1 : lineFeed;
}
