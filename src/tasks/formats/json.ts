import { type MemberNode, parse, type ValueNode } from '@humanwhocodes/momoa';
import { changeMembers, JSON_STYLE, type Member, type Range, withoutItem } from '../entries/edit-members.ts';
import { type EntryEditor, emptyReading, findList, readEntries } from '../entries/read-entries.ts';
import type { FileFormat, ReadResult, Splice } from '../tracker-format.ts';

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
  let read: readonly ValueNode[] | null = null;
  // Read once more for its places, which few readings need.
  const items = () => {
    read ??= itemsOf(json, list.key);
    return read;
  };
  const keys: EntryEditor['keys'] = (place, changes) => {
    const members = membersOf(items()[place], start);
    return members === null ? null : changeMembers(text, members, changes, JSON_STYLE);
  };
  const reading = readEntries(
    userStories ? 'json-user-stories' : 'json-stories',
    list.items,
    userStories ? { doneKey: 'passes', blockedKey: null } : { doneKey: 'status', blockedKey: 'status' },
    (place, names) => {
      const item = items()[place];
      const member = membersOf(item, 0)?.find(({ key }) => names.includes(key));
      const at = member?.keyFrom ?? item?.range?.[0];
      return at === undefined ? null : json.slice(0, at).split('\n').length;
    },
    {
      keys,
      text: (place, key, value) => keys(place, [{ kind: 'set', key, value }]),
      add: (record) => addItem(text, rangesOf(items(), start), record),
      remove: (place) => {
        const splice = withoutItem(rangesOf(items(), start), place);
        return splice === null ? null : [splice];
      },
    },
  );
  return { ok: true, reading };
}

/** The values of the list, as nodes with their ranges. */
function itemsOf(json: string, listKey: string | null): readonly ValueNode[] {
  const { body } = parse(json, { ranges: true });
  const list =
    body.type === 'Object' ? body.members.findLast((member) => keyOf(member) === listKey)?.value : body;
  return list?.type === 'Array' ? list.elements.map(({ value }) => value) : [];
}

/** The members of an object, with their offsets in the file. */
function membersOf(item: ValueNode | undefined, start: number): Member[] | null {
  if (item?.type !== 'Object') return null;
  return item.members.map((member): Member => {
    const [keyFrom = 0, keyTo = 0] = member.name.range ?? [];
    const [from = 0, to = 0] = member.value.range ?? [];
    const at = { keyFrom: start + keyFrom, keyTo: start + keyTo, from: start + from, to: start + to };
    return { key: keyOf(member), ...at, scalar: true };
  });
}

function rangesOf(items: readonly ValueNode[], start: number): Range[] {
  return items.map(({ range: [from, to] = [0, 0] }) => ({ from: start + from, to: start + to }));
}

/** Behind the last one, and set like it; `null`: an empty list has no place to follow. */
function addItem(text: string, items: readonly Range[], record: object): readonly Splice[] | null {
  const last = items.at(-1);
  if (last === undefined) return null;
  const space = /\s*$/.exec(text.slice(0, last.from))?.[0] ?? '';
  const isOneLine = !text.slice(last.from, last.to).includes('\n');
  const pad = space.slice(space.lastIndexOf('\n') + 1);
  const item = isOneLine
    ? JSON.stringify(record)
    : JSON.stringify(record, null, 2).replaceAll('\n', `\n${pad}`);
  return [{ from: last.to, to: last.to, text: `,${space}${item}` }];
}

function keyOf({ name }: MemberNode): string {
  return name.type === 'String' ? name.value : name.name;
}
