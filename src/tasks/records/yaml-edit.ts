import type { Splice } from '../draft.ts';
import type { KeyChange } from './status-plan.ts';

/** A key with its value in a YAML mapping; offsets, `to` exclusive. `simple`: the value is a flow scalar. */
export type YamlMember = {
  readonly key: string;
  readonly keyFrom: number;
  readonly keyTo: number;
  readonly from: number;
  readonly to: number;
  readonly simple: boolean;
};

/** Keys behind which a missing status key is put, the strongest first. */
const ANCHORS = ['completed', 'passes', 'done', 'status', 'blocked', 'title', 'id'];

/** Changes in a mapping with a line for each key; `null` when there is no place to put a key. */
export function changeBlockMap(
  text: string,
  members: readonly YamlMember[],
  changes: readonly KeyChange[],
): Splice[] | null {
  const splices: Splice[] = [];
  const removed = new Set(changes.filter((change) => change.kind === 'remove').map((change) => change.key));
  for (const change of changes) {
    const member = members.find((other) => other.key === change.key);
    if (member !== undefined) {
      const line = change.kind === 'remove' ? ownLine(text, member) : null;
      splices.push(line ?? setValue(text, member, change.value));
      continue;
    }
    if (change.kind === 'remove') continue;
    const lines = members.filter(
      (other) => other.simple && !removed.has(other.key) && isOneLine(text, other),
    );
    const anchor = byAnchor(lines) ?? lines[0];
    if (anchor === undefined) return null;
    const end = endOfLine(text, anchor.to);
    const first = members[0] ?? anchor;
    const indent = ' '.repeat(first.keyFrom - startOfLine(text, first.keyFrom));
    splices.push({ from: end, to: end, text: `${lineEnd(text)}${indent}${change.key}: ${change.value}` });
  }
  return splices;
}

/** Changes in a mapping in braces. */
export function changeFlowMap(
  text: string,
  members: readonly YamlMember[],
  changes: readonly KeyChange[],
): Splice[] | null {
  const splices: Splice[] = [];
  const removed = new Set(changes.filter((change) => change.kind === 'remove').map((change) => change.key));
  for (const change of changes) {
    const index = members.findIndex((other) => other.key === change.key);
    const member = members[index];
    if (member !== undefined) {
      const previous = members[index - 1];
      if (change.kind === 'set' || previous === undefined) splices.push(setValue(text, member, change.value));
      else splices.push({ from: previous.to, to: member.to, text: '' });
      continue;
    }
    if (change.kind === 'remove') continue;
    const staying = members.filter((other) => !removed.has(other.key));
    const anchor = byAnchor(staying) ?? staying.at(-1);
    if (anchor === undefined) return null;
    splices.push({ from: anchor.to, to: anchor.to, text: `, ${change.key}: ${change.value}` });
  }
  return splices;
}

function byAnchor(members: readonly YamlMember[]): YamlMember | undefined {
  return ANCHORS.map((key) => members.find((member) => member.key === key)).find(
    (member) => member !== undefined,
  );
}

function setValue(text: string, member: YamlMember, value: boolean | string): Splice {
  // A key without a value ends at its colon, or has spaces and a comment behind it.
  const empty = member.from === member.to;
  const gap = empty && text[member.from - 1] === ':' ? ' ' : '';
  const first = text[member.from];
  const quote = typeof value === 'string' && (first === '"' || first === "'") ? first : '';
  return { from: member.from, to: member.to, text: `${gap}${quote}${value}${quote}` };
}

/** The member's line with the line end before it; `null` when something else stands on it. */
function ownLine(text: string, member: YamlMember): Splice | null {
  const start = startOfLine(text, member.keyFrom);
  const end = endOfLine(text, member.to);
  const alone = text.slice(start, member.keyFrom).trim() === '' && text.slice(member.to, end).trim() === '';
  if (!alone || start === 0 || !isOneLine(text, member)) return null;
  return { from: text[start - 2] === '\r' ? start - 2 : start - 1, to: end, text: '' };
}

function isOneLine(text: string, member: YamlMember): boolean {
  return !text.slice(member.keyFrom, member.to).includes('\n');
}

function startOfLine(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** Offset of the line end (`\r\n` or `\n`) or of the end of the text. */
function endOfLine(text: string, at: number): number {
  const lineFeed = text.indexOf('\n', at);
  if (lineFeed === -1) return text.length;
  return text[lineFeed - 1] === '\r' ? lineFeed - 1 : lineFeed;
}

function lineEnd(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}
