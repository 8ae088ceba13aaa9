import { isRecord } from '../../lib/is-record.ts';
import type { ReadResult, Splice } from '../draft.ts';
import { shown } from '../values.ts';
import { type JsonMember, jsonItem, jsonMembers, skipSpace } from './json-scan.ts';
import { emptyReading, LIST_KEYS, readRecords } from './read-records.ts';
import type { KeyChange } from './status-plan.ts';

/** Keys behind which a missing status key is put, the strongest first. */
const ANCHORS = ['passes', 'completed', 'done', 'status', 'blocked'];

/** JSON task files: a list under `stories`, `userStories` or `tasks`, or a bare list. */
export function readJson(text: string, path: string): ReadResult {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  if (text.slice(start).trim() === '') return { ok: true, reading: emptyReading('json-stories') };
  let root: unknown;
  try {
    root = JSON.parse(text.slice(start));
  } catch (error) {
    const detail = error instanceof Error ? error.message.replace(/\s+/g, ' ') : String(error);
    return { ok: false, message: `${path} is not valid JSON: ${detail}. Mend the file, then try again` };
  }
  const listKey = isRecord(root) ? LIST_KEYS.find((key) => isRecord(root) && Array.isArray(root[key])) : null;
  const items: unknown = isRecord(root) ? (listKey ? root[listKey] : null) : root;
  if (!Array.isArray(items) || listKey === undefined) {
    const found = isRecord(root)
      ? `the keys ${Object.keys(root).map(shown).join(', ') || '(none)'}`
      : shown(root);
    return {
      ok: false,
      message: `${path} holds no tasks: expected a list under "stories", "userStories" or "tasks", found ${found}`,
    };
  }
  const userStories = listKey === 'userStories' || listKey === 'user_stories';
  const reading = readRecords(
    userStories ? 'json-user-stories' : 'json-stories',
    items,
    userStories ? { doneKey: 'passes', blockedKey: null } : { doneKey: 'status', blockedKey: 'status' },
    () => null,
    (place, changes) => {
      const at = findItem(text, start, listKey, place);
      if (at === null) return { ok: false, message: `there is no object at place ${place + 1}` };
      return { ok: true, splices: changeMembers(text, at, changes) };
    },
  );
  return { ok: true, reading };
}

function findItem(text: string, start: number, listKey: string | null, place: number): number | null {
  const root = skipSpace(text, start);
  // Of equal keys the last one counts, as in JSON.parse.
  const list =
    listKey === null ? root : jsonMembers(text, root).findLast((member) => member.key === listKey)?.from;
  return list === undefined ? null : jsonItem(text, list, place);
}

function changeMembers(text: string, at: number, changes: readonly KeyChange[]): Splice[] {
  const members = jsonMembers(text, at);
  const removed = new Set(changes.filter((change) => change.kind === 'remove').map((change) => change.key));
  return changes.map((change): Splice => {
    const index = members.findLastIndex((member) => member.key === change.key);
    const member = members[index];
    if (change.kind === 'remove') return removeMember(members, index, at);
    const value = JSON.stringify(change.value);
    if (member !== undefined) return { from: member.from, to: member.to, text: value };
    const staying = members.filter((other) => !removed.has(other.key));
    const anchor =
      ANCHORS.map((key) => staying.findLast((other) => other.key === key)).find(Boolean) ?? staying.at(-1);
    if (anchor === undefined)
      return { from: at + 1, to: at + 1, text: `${JSON.stringify(change.key)}: ${value}` };
    return { from: anchor.to, to: anchor.to, text: `,${likeMember(text, anchor)(change.key)}${value}` };
  });
}

/** Writes a key with the white space around that another member has. */
function likeMember(text: string, member: JsonMember): (key: string) => string {
  let before = member.keyFrom;
  while (before > 0 && ' \t\r\n'.includes(text[before - 1] ?? 'x')) before -= 1;
  const space = text.slice(before, member.keyFrom);
  const colon = text.slice(member.keyTo, member.from);
  return (key) => `${space}${JSON.stringify(key)}${colon}`;
}

/** Takes a member away together with the comma before it, or behind it when it is the first. */
function removeMember(members: readonly JsonMember[], index: number, at: number): Splice {
  const member = members[index];
  if (member === undefined) return { from: at + 1, to: at + 1, text: '' };
  const previous = members[index - 1];
  const next = members[index + 1];
  if (previous !== undefined) return { from: previous.to, to: member.to, text: '' };
  return { from: member.keyFrom, to: next?.keyFrom ?? member.to, text: '' };
}
