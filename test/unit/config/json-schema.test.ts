import { describe, expect, it } from 'vitest';
import { configJsonSchema } from '../../../src/config/index.ts';
import type { SchemaNode } from '../../../src/config/json-schema.ts';
import descriptions from '../../../src/config/key-descriptions.json' with { type: 'json' };

const schema = configJsonSchema();

function at(key: string): SchemaNode | undefined {
  let node: SchemaNode | undefined = schema;
  for (const part of key.split('.')) {
    const other: SchemaNode['additionalProperties'] = node?.additionalProperties;
    node = part === '*' && typeof other === 'object' ? other : node?.properties?.[part];
  }
  return node;
}

/** The keys of a table; one that has names of your own (`[runners.NAME]`) is one key. */
function countKeys({ properties }: SchemaNode): number {
  return properties === undefined
    ? 1
    : Object.values(properties).reduce((sum, below) => sum + countKeys(below), 0);
}

it('there are at most 159 keys: what few would set is a constant', () => {
  expect(countKeys({ properties: { a: {}, b: { properties: { c: {}, d: {} } } } })).toBe(3);
  expect(countKeys(schema)).toBeLessThanOrEqual(159);
});

describe('configJsonSchema', () => {
  it('requires nothing', () => {
    expect(schema).not.toHaveProperty('required');
    for (const section of Object.values(schema.properties ?? {}))
      expect(section).not.toHaveProperty('required');
  });

  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  });

  it.each(Object.entries(descriptions))('the description of %s reaches its key', (key, text) => {
    expect(at(key)?.description).toBe(text);
  });
});
