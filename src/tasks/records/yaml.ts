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
import { isRecord } from '../../lib/is-record.ts';
import type { ReadResult, Splice } from '../draft.ts';
import { shown } from '../values.ts';
import { emptyReading, LIST_KEYS, readRecords } from './read-records.ts';
import { changeBlockMap, changeFlowMap, type YamlMember } from './yaml-edit.ts';

/** YAML task files: a list under `tasks` (or the JSON names), or a bare list. */
export function readYaml(text: string, path: string): ReadResult {
  const lines = new LineCounter();
  try {
    // The library reads most texts, but gives up with an exception on some (aliases that explode, endless nesting).
    return readDocument(text, path, lines);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { ok: false, message: notValid(path, detail) };
  }
}

function readDocument(text: string, path: string, lines: LineCounter): ReadResult {
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: true });
  const error = document.errors[0];
  if (error !== undefined) return { ok: false, message: notValid(path, error.message.split('\n')[0] ?? '') };
  if (document.contents === null) return { ok: true, reading: emptyReading('yaml') };
  const root: unknown = document.toJS();
  const listKey = isRecord(root) ? LIST_KEYS.find((key) => Object.hasOwn(root, key)) : null;
  const listNode: unknown = listKey ? document.get(listKey, true) : document.contents;
  const items: unknown = isRecord(root) && listKey ? root[listKey] : root;
  if (isRecord(root) && listKey && items === null) return { ok: true, reading: emptyReading('yaml') };
  if (!Array.isArray(items) || !isSeq<Node>(listNode)) {
    const found = isRecord(root)
      ? `the keys ${Object.keys(root).map(shown).join(', ') || '(none)'}`
      : shown(root);
    return { ok: false, message: `${path} holds no tasks: expected a list under \`tasks:\`, found ${found}` };
  }
  const nodes = listNode.items;
  const reading = readRecords(
    'yaml',
    items,
    { doneKey: 'completed', blockedKey: 'blocked' },
    (place) => {
      const range = nodes[place]?.range;
      return range ? lines.linePos(range[0]).line : null;
    },
    (place, changes) => {
      const node = nodes[place];
      const members = isMap(node) ? membersOf(node) : null;
      if (!isMap(node) || members === null) return { ok: false, message: 'the entry is no plain mapping' };
      const splices: Splice[] | null = node.flow
        ? changeFlowMap(text, members, changes)
        : changeBlockMap(text, members, changes);
      return splices === null
        ? { ok: false, message: 'there is no place for the key' }
        : { ok: true, splices };
    },
  );
  return { ok: true, reading };
}

/** `null` when a key or value has no place of its own in the text. */
function membersOf(map: YAMLMap): YamlMember[] | null {
  const members: YamlMember[] = [];
  for (const pair of map.items) {
    const member = isPair(pair) ? memberOf(pair) : null;
    if (member === null) return null;
    members.push(member);
  }
  return members;
}

function memberOf(pair: Pair): YamlMember | null {
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
    simple: range !== null && isScalar(value) && !block,
  };
}

function notValid(path: string, detail: string): string {
  return `${path} is not valid YAML: ${detail.replace(/:$/, '')}. Mend the file, then try again`;
}
