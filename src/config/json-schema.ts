import * as z from 'zod/mini';
import { Config } from '../domain/config.ts';
import { KEY_DESCRIPTIONS } from './key-descriptions.ts';
import { isTable, valueAt } from './key-path.ts';

/** The part of a JSON Schema that is used here. */
export type SchemaNode = {
  description?: string;
  default?: unknown;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
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
