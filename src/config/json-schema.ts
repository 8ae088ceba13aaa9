import * as z from 'zod/mini';
import { Config } from '../domain/config.ts';
import { leastDifferent, nearest } from '../lib/nearest.ts';
import descriptions from './key-descriptions.json' with { type: 'json' };
import { formatKey, isTable, type KeyPath, showKey, valueAt } from './key-path.ts';

/** Short texts for editors, by dotted key; `*` is a name that you choose. */
const KEY_DESCRIPTIONS: Readonly<Record<string, string>> = descriptions;

/** The part of a JSON Schema that is used here. */
export type SchemaNode = {
  description?: string;
  default?: unknown;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  /** Names that a table may have which is otherwise a value for each name. */
  readonly propertyNames?: { readonly enum?: readonly string[] };
  readonly additionalProperties?: boolean | SchemaNode;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
};

/** JSON Schema (draft 7, which editors know for TOML) of `ralph.toml`: keys, values, defaults, descriptions. */
export function configJsonSchema(): SchemaNode {
  const schema = z.toJSONSchema(Config, { io: 'input', target: 'draft-7' }) as SchemaNode;
  describe(schema, '', z.parse(Config, {}));
  return { ...schema, description: 'Configuration of ralph (.ralph/ralph.toml); every key is optional.' };
}

/** Fills in texts, and the defaults that the conversion leaves out where a value is transformed when read. */
function describe(node: SchemaNode, key: string, value: unknown): void {
  const text = KEY_DESCRIPTIONS[key];
  if (text !== undefined) node.description = text;
  if (!isTable(value) && value !== undefined) node.default ??= value;
  for (const [name, below] of Object.entries(node.properties ?? {})) {
    describe(below, key === '' ? name : `${key}.${name}`, valueAt(value, [name]));
  }
  if (typeof node.additionalProperties === 'object') {
    describe(node.additionalProperties, `${key}.*`, undefined);
  }
}

let schema: SchemaNode | undefined;

/** Made when first needed: a configuration without mistakes never asks. */
function root(): SchemaNode {
  schema ??= configJsonSchema();
  return schema;
}

/** Known keys of the table at this path; empty where any name is allowed or the path leads nowhere. */
function keysAt(path: KeyPath): string[] {
  let node: SchemaNode | undefined = root();
  for (const part of path) node = below(node, part);
  return [...Object.keys(node?.properties ?? {}), ...(node?.propertyNames?.enum ?? [])];
}

function below(node: SchemaNode | undefined, part: string | number): SchemaNode | undefined {
  if (typeof part === 'number') {
    const { items } = node ?? {};
    return items?.anyOf?.find((form) => form.properties !== undefined) ?? items;
  }
  const other = node?.additionalProperties;
  return node?.properties?.[part] ?? (typeof other === 'object' ? other : undefined);
}

/** Every key that takes a value, dotted, with `*` for a name that you choose: `loop.agent`, `modes.*.timeout`. */
export function keyPatterns(node: SchemaNode = root(), above: readonly string[] = []): string[] {
  const patterns: string[] = [];
  for (const [name, inner] of Object.entries(node.properties ?? {})) {
    patterns.push(...keyPatterns(inner, [...above, name]));
  }
  const other = node.additionalProperties;
  // Below a chosen name, a second one looks like the first: the table is one value there.
  if (typeof other === 'object' && !above.includes('*'))
    patterns.push(...keyPatterns(other, [...above, '*']));
  return patterns.length > 0 || above.length === 0 ? patterns : [above.join('.')];
}

/** Names under which a command is given in one place or another. */
const FOR_A_COMMAND = new Set(['argv', 'run', 'command', 'cmd', 'exec', 'program']);

/**
 * What may have been meant by a key that does not exist: a neighbour, also another word for a command, else the same
 * name in another section, else the neighbour that looks least different.
 */
export function suggestKey(path: KeyPath): string {
  const name = String(path.at(-1));
  const siblings = keysAt(path.slice(0, -1));
  const command = FOR_A_COMMAND.has(name) ? siblings.find((one) => FOR_A_COMMAND.has(one)) : undefined;
  const sibling = command ?? nearest(name, siblings);
  if (sibling !== null) return `did you mean ${path.length === 1 ? showTop(sibling) : `"${sibling}"`}?`;
  const elsewhere = keyPatterns()
    .map((pattern) => pattern.split('.'))
    .find((parts) => parts.length > 1 && parts.at(-1) === name && !parts.includes('*'));
  if (elsewhere !== undefined) return `did you mean ${showKey(elsewhere)}?`;
  const least = leastDifferent(name, siblings);
  return least === null ? 'no key is known here' : `the nearest key is "${least}"`;
}

/** Sections are shown as in a file. */
function showTop(name: string): string {
  return `[${formatKey([name])}]`;
}
