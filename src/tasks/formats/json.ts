import { type MemberNode, parse } from '@humanwhocodes/momoa';
import { changeMembers, JSON_STYLE, type Member } from '../records/edit-members.ts';
import { emptyReading, findList, readRecords } from '../records/read-records.ts';
import type { FileFormat, ReadResult } from '../tracker-format.ts';

/** JSON task files: a list under `stories`, `userStories` or `tasks`, or a bare list. */
export const JSON_FORMAT: FileFormat = {
  kept: 'file',
  names: ['prd.json', 'PRD.json'],
  laterNames: [],
  ownsPath: (path) => /\.json$/i.test(path),
  // `[ ]` begins a check list.
  ownsText: (text) => /^\uFEFF?\s*[{[]/.test(text) && !/^\uFEFF?\s*\[.?\]/.test(text),
  reader: readJson,
};

function readJson(text: string, path: string): ReadResult {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const json = text.slice(start);
  if (json.trim() === '') return { ok: true, reading: emptyReading('json-stories') };
  let root: unknown;
  try {
    root = JSON.parse(json);
  } catch (error) {
    const detail = error instanceof Error ? error.message.replace(/\s+/g, ' ') : String(error);
    return { ok: false, message: `${path} isn't valid JSON: ${detail}. Fix the file, then try again` };
  }
  const list = findList(root, path);
  if (!list.ok) return list;
  const userStories = list.key === 'userStories' || list.key === 'user_stories';
  const reading = readRecords(
    userStories ? 'json-user-stories' : 'json-stories',
    list.items,
    userStories ? { doneKey: 'passes', blockedKey: null } : { doneKey: 'status', blockedKey: 'status' },
    () => null,
    (place, changes) => {
      const members = membersOf(json, start, list.key, place);
      return members === null ? null : changeMembers(text, members, changes, JSON_STYLE);
    },
  );
  return { ok: true, reading };
}

/** The members of the object at a place (from 0) of the list, with their offsets in the file. */
function membersOf(json: string, start: number, listKey: string | null, place: number): Member[] | null {
  const { body } = parse(json, { ranges: true });
  const list =
    body.type === 'Object' ? body.members.findLast((member) => keyOf(member) === listKey)?.value : body;
  const item = list?.type === 'Array' ? list.elements[place]?.value : undefined;
  if (item?.type !== 'Object') return null;
  return item.members.map((member): Member => {
    const [keyFrom = 0, keyTo = 0] = member.name.range ?? [];
    const [from = 0, to = 0] = member.value.range ?? [];
    const at = { keyFrom: start + keyFrom, keyTo: start + keyTo, from: start + from, to: start + to };
    return { key: keyOf(member), ...at, scalar: true };
  });
}

function keyOf({ name }: MemberNode): string {
  return name.type === 'String' ? name.value : name.name;
}
