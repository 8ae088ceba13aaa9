import { leastDifferent, nearest } from 'ralph-kit/nearest';
import * as z from 'zod/mini';
import { Config } from '../domain/config.ts';
import descriptions from './key-descriptions.json' with { type: 'json' };
import { formatKey, isTable, type KeyPath, showKey, valueAt } from './key-path.ts';

/** Short texts for editors by dotted key; `*` is a name that you choose. */
const KEY_DESCRIPTIONS: Readonly<Record<string, string>> = descriptions;

export type SchemaNode = {
  description?: string;
  default?: unknown;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  /** Allowed names in a table of named values. */
  readonly propertyNames?: { readonly enum?: readonly string[] };
  readonly additionalProperties?: boolean | SchemaNode;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
};

/** Returns the JSON Schema of `ralph.toml` (draft 7, which editors use for TOML). */
export function configJsonSchema(): SchemaNode {
  const schema = z.toJSONSchema(Config, { io: 'input', target: 'draft-7' }) as SchemaNode;
  describe(schema, '', z.parse(Config, {}));
  return { ...schema, description: 'Configuration of ralph (.ralph/ralph.toml); every key is optional.' };
}

/** Adds texts, and defaults that the conversion omits for transformed values. */
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

/** Returns the schema of the configuration, which is made on first use, since a valid configuration never needs it. */
function root(): SchemaNode {
  schema ??= configJsonSchema();
  return schema;
}

/** Returns known keys at a path; empty where any name is allowed. */
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

/** Returns every key that takes a value, dotted, with `*` for a chosen name: `loop.agent`, `modes.*.timeout`. */
export function keyPatterns(node: SchemaNode = root(), above: readonly string[] = []): string[] {
  const patterns: string[] = [];
  for (const [name, inner] of Object.entries(node.properties ?? {})) {
    patterns.push(...keyPatterns(inner, [...above, name]));
  }
  const other = node.additionalProperties;
  // A second chosen name would look like the first, so the table counts as one value.
  if (typeof other === 'object' && !above.includes('*'))
    patterns.push(...keyPatterns(other, [...above, '*']));
  return patterns.length > 0 || above.length === 0 ? patterns : [above.join('.')];
}

/** Possible names of a command's key. */
const FOR_A_COMMAND = new Set(['argv', 'run', 'command', 'cmd', 'exec', 'program']);

/** Returns a near key or another word for a command, else the same name elsewhere, else the nearest neighbour. */
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

/** Returns a section's name as in a file. */
function showTop(name: string): string {
  return `[${formatKey([name])}]`;
}
