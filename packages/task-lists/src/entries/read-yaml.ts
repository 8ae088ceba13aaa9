import { isObject } from 'ralph-kit/is-object';
import {
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import { DEFAULT_INPUT, lineEndOf, type ReaderInput, type ReadResult, type Splice } from '../task-list.ts';
import type { Words } from '../words.ts';
import {
  BLOCK_STYLE,
  changeMembers,
  endOfLine,
  FLOW_STYLE,
  type Member,
  startOfLine,
} from './edit-members.ts';
import { emptyReading, findList, LIST_KEYS, readEntries } from './read-entries.ts';
import type { TaskEntry } from './status-plan.ts';

/** Reads a YAML task file: a list under `tasks` (or another name that JSON files use), or just a list. */
export function readYaml(text: string, path: string, { words }: ReaderInput = DEFAULT_INPUT): ReadResult {
  const lines = new LineCounter();
  try {
    // The library reads most texts, but throws for some, such as aliases that explode or very deep nesting.
    return readDocument(text, path, lines, words);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { ok: false, message: notValid(path, detail) };
  }
}

function readDocument(text: string, path: string, lines: LineCounter, words: Words): ReadResult {
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: true });
  const error = document.errors[0];
  if (error !== undefined) return { ok: false, message: notValid(path, error.message.split('\n')[0] ?? '') };
  const root: unknown = document.toJS();
  if (isEmpty(root)) return { ok: true, reading: emptyReading('yaml') };
  const list = findList(root, path, '');
  if (!list.ok) return list;
  const listNode: unknown = list.keys.length === 0 ? document.contents : document.getIn(list.keys, true);
  const nodes = isSeq<Node>(listNode) ? listNode.items : [];
  const reading = readEntries(
    'yaml',
    list,
    { doneKey: 'completed', blockedKey: 'blocked' },
    (place, keys) => {
      const node = nodes[place];
      const members = keys.length > 0 && isMap(node) ? membersOf(node) : null;
      const at = members?.find(({ key }) => keys.includes(key))?.keyFrom ?? node?.range?.[0];
      return at === undefined ? null : lines.linePos(at).line;
    },
    {
      keys: (place, changes, part) => {
        const item = nodes[place];
        const node = part === undefined || !isMap(item) ? item : item.getIn(['subtasks', part], true);
        const members = isMap(node) ? membersOf(node) : null;
        if (!isMap(node) || members === null) return null;
        return changeMembers(text, members, changes, node.flow ? FLOW_STYLE : BLOCK_STYLE);
      },
      text: (place, key, value) => {
        const node = nodes[place];
        const member = (isMap(node) ? membersOf(node) : null)?.findLast((one) => one.key === key);
        if (member === undefined || !member.scalar) return null;
        return [{ from: member.from, to: member.to, text: JSON.stringify(value) }];
      },
      add: (entry) => addYamlItem(text, nodes, entry),
      remove: (place) => removeYamlItem(text, nodes, place),
    },
    words,
  );
  return { ok: true, reading };
}

/** Returns whether the file is empty, or has only `tasks:` without a value. */
function isEmpty(root: unknown): boolean {
  if (!isObject(root)) return root === null;
  const key = LIST_KEYS.find((name) => Object.hasOwn(root, name));
  return key !== undefined && root[key] === null;
}

/** Returns the members of a mapping; `null`: a key or value has no place of its own in the text. */
export function membersOf(map: YAMLMap): Member[] | null {
  const members: Member[] = [];
  for (const pair of map.items) {
    const member = isPair(pair) ? memberOf(pair) : null;
    if (member === null) return null;
    members.push(member);
  }
  return members;
}

function memberOf(pair: Pair): Member | null {
  const key = pair.key as Node | null;
  const value = pair.value as Node | null;
  if (!isScalar(key) || !key.range) return null;
  const range = value?.range ?? null;
  const block = isScalar(value) && (value.type === 'BLOCK_LITERAL' || value.type === 'BLOCK_FOLDED');
  return {
    key: String(key.value),
    keyFrom: key.range[0],
    keyTo: key.range[1],
    from: range?.[0] ?? key.range[1],
    to: range?.[1] ?? key.range[1],
    scalar: range !== null && isScalar(value) && !block,
  };
}

function notValid(path: string, detail: string): string {
  return `${path} isn't valid YAML: ${detail.replace(/:$/, '')}. Fix the file, then try again`;
}

/** Returns the splice that adds an item after the last one of a list with dashes; `null`: the list has another form. */
export function addYamlItem(
  text: string,
  items: readonly Node[],
  entry: TaskEntry,
): readonly Splice[] | null {
  const last = items.at(-1);
  const dash = last === undefined ? null : dashOf(text, last);
  if (last === undefined || dash === null) return null;
  const eol = lineEndOf(text);
  const members = Object.entries(entry).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const at = endOf(text, last);
  return [
    {
      from: at,
      to: at,
      text: `${eol}${dash.prefix}${members.join(`${eol}${' '.repeat(dash.prefix.length)}`)}`,
    },
  ];
}

/**
 * Returns the splice that removes all lines of an item, with the empty lines after it. Comments that aren't indented more
 * than the item's dash stay: they are about the next item, or about the list.
 */
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
  const column = dash.prefix.indexOf('-');
  let end = afterLine(text, endOf(text, item));
  for (let at = end; at < (following?.at ?? text.length); ) {
    const next = afterLine(text, at);
    const line = text.slice(at, next);
    const isComment = line.trimStart().startsWith('#');
    if (isComment && line.search(/\S/) <= column) break;
    // Empty lines at the end of the file belong to no item.
    if (isComment || (following !== null && line.trim() === '')) end = next;
    at = next;
  }
  return [{ from: dash.at, to: end, text: '' }];
}

/** Returns the offset of the next line, or the end of the text. */
function afterLine(text: string, at: number): number {
  const lineFeed = text.indexOf('\n', at);
  return lineFeed === -1 ? text.length : lineFeed + 1;
}

/** Returns the offset of the item's line and the text before the item on it; `null`: there is other content. */
function dashOf(text: string, { range }: Node): { readonly at: number; readonly prefix: string } | null {
  if (!range) return null;
  const at = startOfLine(text, range[0]);
  const prefix = text.slice(at, range[0]);
  return /^ *- +$/.test(prefix) ? { at, prefix } : null;
}

/** Returns the end of the line with the item's last character that isn't white space. */
function endOf(text: string, { range }: Node): number {
  return endOfLine(text, text.slice(0, range?.[1] ?? 0).trimEnd().length);
}
