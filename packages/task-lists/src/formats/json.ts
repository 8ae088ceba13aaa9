import { type MemberNode, parse, type ValueNode } from '@humanwhocodes/momoa';
import { changeMembers, JSON_STYLE, type Member, type Range, withoutItem } from '../entries/edit-members.ts';
import {
  type EntryEditor,
  emptyReading,
  findList,
  type ListedEntries,
  readEntries,
} from '../entries/read-entries.ts';
import type { StatusDefaults } from '../entries/status-plan.ts';
import {
  DEFAULT_INPUT,
  type ReaderInput,
  type Reading,
  type ReadResult,
  type Splice,
  type TaskList,
} from '../task-list.ts';
import type { Words } from '../words.ts';

/**
 * JSON task files: a list under `stories`, `userStories` or `tasks`, or just a list; also task-master's lists under
 * tags.
 */
export const JSON_FORMAT: TaskList = {
  storage: 'file',
  names: ['prd.json', 'PRD.json'],
  laterNames: [],
  elsewhere: ['.taskmaster/tasks/tasks.json', 'tasks/tasks.json'],
  ownsPath: (path) => /\.json$/i.test(path),
  // A Markdown check list begins with `[ ]`, which isn't JSON.
  ownsText: (text) => /^\uFEFF?\s*[{[]/.test(text) && !/^\uFEFF?\s*\[.?\]/.test(text),
  reader: readJson,
};

function readJson(text: string, path: string, { tag, words }: ReaderInput = DEFAULT_INPUT): ReadResult {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const json = text.slice(start);
  if (json.trim() === '') return { ok: true, reading: emptyReading('json-stories') };
  let root: unknown;
  try {
    root = JSON.parse(json);
  } catch (error) {
    return { ok: false, message: notValid(path, error) };
  }
  const list = findList(root, path, tag);
  if (!list.ok) return list;
  const key = list.keys.at(-1);
  const userStories = key === 'userStories' || key === 'user_stories';
  const tagged = list.keys.length > 1 && list.keys[0] !== 'prd';
  const reading = readListed(
    text,
    tagged ? 'task-master' : userStories ? 'json-user-stories' : 'json-stories',
    list,
    userStories
      ? { doneKey: 'passes', blockedKey: null }
      : { doneKey: 'status', blockedKey: 'status', words: tagged ? TASKMASTER_WORDS : {} },
    () => itemsOf(json, list.keys).map((node) => ({ node, start })),
    words,
  );
  return { ok: true, reading };
}

const TASKMASTER_WORDS = { open: 'pending', in_progress: 'in-progress' } as const;

export function notValid(path: string, error: unknown): string {
  const detail = error instanceof Error ? error.message.replace(/\s+/g, ' ') : String(error);
  return `${path} isn't valid JSON: ${detail}. Fix the file, then try again`;
}

/** A JSON value, with the offset in the file to add to its ranges. */
export type Placed = { readonly node: ValueNode; readonly start: number };

/**
 * Returns a reading of a list of JSON values. `read` returns their places, which few readings need, so it is called
 * late.
 */
export function readListed(
  text: string,
  format: string,
  list: ListedEntries,
  defaults: StatusDefaults,
  read: () => readonly Placed[],
  words: Words,
  join: ',' | '' = ',',
): Reading {
  let known: readonly Placed[] | null = null;
  const items = () => {
    known ??= read();
    return known;
  };
  const keys: EntryEditor['keys'] = (place, changes, part) => {
    const item = items()[place];
    const members = membersOf(part === undefined ? item?.node : partOf(item?.node, part), item?.start ?? 0);
    return members === null ? null : changeMembers(text, members, changes, JSON_STYLE);
  };
  return readEntries(
    format,
    list,
    defaults,
    (place, names) => {
      const item = items()[place];
      const member = membersOf(item?.node, item?.start ?? 0)?.find(({ key }) => names.includes(key));
      const at = member?.keyFrom ?? (item === undefined ? undefined : rangeOf(item).from);
      return at === undefined ? null : text.slice(0, at).split('\n').length;
    },
    {
      keys,
      text: (place, key, value) => keys(place, [{ kind: 'set', key, value }]),
      add: (record) => addItem(text, items().map(rangeOf), record, join),
      remove: (place) => {
        const splice = withoutItem(items().map(rangeOf), place);
        return splice === null ? null : [splice, ...inSubtasks(text, items(), place)];
      },
    },
    words,
  );
}

/** Returns the list's values as nodes with their ranges. */
function itemsOf(json: string, keys: readonly string[]): readonly ValueNode[] {
  const { body } = parse(json, { ranges: true });
  return elementsOf(keys.reduce<ValueNode | undefined>(memberOf, body));
}

function partOf(item: ValueNode | undefined, part: number): ValueNode | undefined {
  return elementsOf(memberOf(item, 'subtasks'))[part];
}

/**
 * Returns the splices that take an item's id out of the dependencies of other items' subtasks. These aren't read, so
 * nothing else would: a number there is a sibling's, if there is one.
 */
function inSubtasks(text: string, items: readonly Placed[], place: number): Splice[] {
  const id = plainOf(memberOf(items[place]?.node, 'id'));
  if (id === null) return [];
  return items.flatMap(({ node, start }, at) => {
    const parts = at === place ? [] : elementsOf(memberOf(node, 'subtasks'));
    const isSibling = parts.some((part) => plainOf(memberOf(part, 'id')) === id);
    const isGone = (name: string | null) =>
      name !== null && ((name === id && !isSibling) || name.startsWith(`${id}.`));
    return parts.flatMap((part) => {
      const list = memberOf(part, 'dependencies');
      const all = elementsOf(list);
      const kept = all.filter((one) => !isGone(plainOf(one)));
      if (list === undefined || kept.length === all.length) return [];
      const { from, to } = rangeOf({ node: list, start });
      const ranges = all.map((one) => rangeOf({ node: one, start }));
      const written = ranges.flatMap((one, index) =>
        kept.includes(all[index] as ValueNode) ? [text.slice(one.from, one.to)] : [],
      );
      const between = text.slice(ranges[0]?.to, ranges[1]?.from);
      const opening = text.slice(from, ranges[0]?.from);
      const closing = text.slice(ranges.at(-1)?.to, to);
      return [{ from, to, text: kept.length === 0 ? '[]' : `${opening}${written.join(between)}${closing}` }];
    });
  });
}

function memberOf(node: ValueNode | undefined, key: string): ValueNode | undefined {
  return node?.type === 'Object'
    ? node.members.findLast((member) => keyOf(member) === key)?.value
    : undefined;
}

function elementsOf(node: ValueNode | undefined): ValueNode[] {
  return node?.type === 'Array' ? node.elements.map(({ value }) => value) : [];
}

/** Returns a text or a number as a text; `null`: it is something else. */
function plainOf(node: ValueNode | undefined): string | null {
  return node?.type === 'String' || node?.type === 'Number' ? String(node.value) : null;
}

/** Returns the members of an object with their offsets in the file; `null`: it isn't an object. */
function membersOf(item: ValueNode | undefined, start: number): Member[] | null {
  if (item?.type !== 'Object') return null;
  return item.members.map((member): Member => {
    const [keyFrom = 0, keyTo = 0] = member.name.range ?? [];
    const [from = 0, to = 0] = member.value.range ?? [];
    const at = { keyFrom: start + keyFrom, keyTo: start + keyTo, from: start + from, to: start + to };
    return { key: keyOf(member), ...at, scalar: true };
  });
}

function rangeOf({ node: { range: [from, to] = [0, 0] }, start }: Placed): Range {
  return { from: start + from, to: start + to };
}

/**
 * Returns the splice that adds an item after the last one, in the same layout; `null`: the list is empty, so there is
 * no layout to follow.
 */
function addItem(
  text: string,
  items: readonly Range[],
  record: object,
  join: string,
): readonly Splice[] | null {
  const last = items.at(-1);
  if (last === undefined) return null;
  const space = /\s*$/.exec(text.slice(0, last.from))?.[0] ?? '';
  const isOneLine = !text.slice(last.from, last.to).includes('\n');
  const pad = space.slice(space.lastIndexOf('\n') + 1);
  const item = isOneLine
    ? JSON.stringify(record)
    : JSON.stringify(record, null, 2).replaceAll('\n', `\n${pad}`);
  return [{ from: last.to, to: last.to, text: `${join}${space}${item}` }];
}

function keyOf({ name }: MemberNode): string {
  return name.type === 'String' ? name.value : name.name;
}
