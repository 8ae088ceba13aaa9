import { type AnyNode, type ObjectNode, parse, type ValueNode } from '@humanwhocodes/momoa';

/** Hooks by event name as in a settings file, where `hooks.EVENT` is a list of entries. */
export type HookEntries = Readonly<Record<string, object>>;

export type IsOwn = (command: string) => boolean;

/** Sentence about a settings file, without its name. */
export class UnreadableSettings extends Error {}

/**
 * Adds hooks to a settings file, and changes no other bytes or comments. @param text Empty: there is no file. @throws
 * UnreadableSettings
 */
export function addHooks(text: string, entries: HookEntries): string {
  let result = text.trim() === '' ? '{}\n' : text;
  for (const [event, entry] of Object.entries(entries)) {
    const root = rootOf(result);
    const hooks = memberOf(root, 'hooks');
    const list = hooks === null ? null : memberOf(asObject(hooks, '"hooks"'), event);
    if (hooks === null) result = append(result, root, { hooks: { [event]: [entry] } });
    else if (list === null) result = append(result, hooks, { [event]: [entry] });
    else if (list.type === 'Array') result = append(result, list, [entry]);
    else throw new UnreadableSettings(`"hooks.${event}" in it isn't a list`);
  }
  return result;
}

/** Removes ralph's entries, and lists and objects that held nothing else. @throws UnreadableSettings */
export function removeHooks(text: string, isOwn: IsOwn): string {
  let result = text;
  for (let found = ownPart(result, isOwn); found !== null; found = ownPart(result, isOwn)) {
    const { container, index } = found;
    const parts = partsOf(container);
    const [from, to] = rangeOf(parts[index]);
    const [before, behind] = [parts[index - 1], parts[index + 1]];
    const [open, close] = rangeOf(container);
    if (before !== undefined) result = cut(result, rangeOf(before)[1], to);
    else if (behind !== undefined) result = cut(result, from, rangeOf(behind)[0]);
    else result = cut(result, open + 1, close - 1);
  }
  return result;
}

/** Whether settings have an entry of ralph's. @throws UnreadableSettings */
export function hasHooks(text: string, isOwn: IsOwn): boolean {
  return text.trim() !== '' && ownPart(text, isOwn) !== null;
}

type Container = Extract<ValueNode, { type: 'Object' | 'Array' }>;

/** Returns the largest part with only ralph's entries; `null` without one. */
function ownPart(text: string, isOwn: IsOwn): { container: Container; index: number } | null {
  const root = rootOf(text);
  const hooks = memberOf(root, 'hooks');
  if (hooks?.type !== 'Object') return null;
  const isWhole = (list: ValueNode) =>
    list.type === 'Array' && list.elements.length > 0 && list.elements.every(({ value }) => holds(value));
  const holds = (entry: ValueNode): boolean => {
    if (entry.type === 'String') return isOwn(entry.value);
    if (entry.type === 'Object') return entry.members.some(({ value }) => holds(value));
    return entry.type === 'Array' && entry.elements.some(({ value }) => holds(value));
  };
  const lists = hooks.members.map(({ value }) => value);
  if (lists.length > 0 && lists.every(isWhole))
    return { container: root, index: root.members.findLastIndex(({ value }) => value === hooks) };
  const whole = lists.findIndex(isWhole);
  if (whole >= 0) return { container: hooks, index: whole };
  for (const list of lists) {
    if (list.type !== 'Array') continue;
    const index = list.elements.findIndex(({ value }) => holds(value));
    if (index >= 0) return { container: list, index };
  }
  return null;
}

/** Appends the parts of `value` to a container in the same layout. */
function append(text: string, container: ValueNode, value: object): string {
  const parts = partsOf(container);
  const [open, close] = rangeOf(container);
  const last = parts.at(-1);
  const at = last === undefined ? open + 1 : rangeOf(last)[1];
  const end = /\r?\n/.exec(text)?.[0] ?? '\n';
  const isOneLine = last !== undefined && !text.slice(open, rangeOf(last)[0]).includes('\n');
  const outer = indentAt(text, open);
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const inner = last === undefined || isOneLine ? outer + unit : indentAt(text, rangeOf(last)[0]);
  const bare = JSON.stringify(value, null, isOneLine ? 0 : unit)
    .slice(1, -1)
    .trim();
  const lines = bare.split('\n').map((line) => (line.startsWith(unit) ? line.slice(unit.length) : line));
  const set = isOneLine ? ` ${bare}` : `${end}${inner}${lines.join(`${end}${inner}`)}`;
  const tail = last === undefined && !text.slice(at, close).includes('\n') ? end + outer : '';
  return `${text.slice(0, at)}${last === undefined ? '' : ','}${set}${tail}${text.slice(at)}`;
}

function cut(text: string, from: number, to: number): string {
  return text.slice(0, from) + text.slice(to);
}

function indentAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? '';
}

function rootOf(text: string): ObjectNode {
  let body: ValueNode;
  try {
    body = parse(text, { mode: 'jsonc', ranges: true }).body;
  } catch (error) {
    throw new UnreadableSettings(`it isn't valid JSON: ${error instanceof Error ? error.message : error}`);
  }
  return asObject(body, 'what is in it');
}

function asObject(node: ValueNode, what: string): ObjectNode {
  if (node.type !== 'Object') throw new UnreadableSettings(`${what} isn't an object`);
  return node;
}

/** The last of equal names counts, as in JSON.parse. */
function memberOf({ members }: ObjectNode, name: string): ValueNode | null {
  return members.findLast((one) => one.name.type === 'String' && one.name.value === name)?.value ?? null;
}

function partsOf(container: ValueNode): readonly AnyNode[] {
  if (container.type === 'Object') return container.members;
  return container.type === 'Array' ? container.elements.map(({ value }) => value) : [];
}

function rangeOf(node: AnyNode | undefined): readonly [number, number] {
  const [from = 0, to = 0] = node?.range ?? [];
  return [from, to];
}
