import fc from 'fast-check';
import { isObject } from 'ralph-kit/is-object';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type Schema, schemaText, shareSchema } from '../../../scripts/share-schema.mjs';
import { IterationRecord } from '../../../src/domain/records/iteration.ts';
import { JournalBody } from '../../../src/domain/records/journal.ts';

/** Returns a schema with each reference replaced by what it stands for. */
function whole(part: unknown, defs: Record<string, unknown>): unknown {
  if (Array.isArray(part)) return part.map((one) => whole(one, defs));
  if (!isObject(part)) return part;
  if (typeof part.$ref === 'string') return whole(defs[part.$ref.slice('#/$defs/'.length)], defs);
  return Object.fromEntries(
    Object.entries(part)
      .filter(([key]) => key !== '$defs')
      .map(([key, value]) => [key, whole(value, defs)]),
  );
}

function saysTheSame(schema: Schema) {
  const shared = shareSchema(schema);
  expect(JSON.parse(schemaText(shared))).toEqual(shared);
  expect(whole(shared, (shared.$defs ?? {}) as Record<string, unknown>)).toEqual(schema);
  return shared;
}

const { schema } = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom<Schema>(
      { type: 'string' },
      {
        type: 'string',
        enum: ['properties', 'anyOf', 'a value that is long enough to be worth a reference'],
      },
      {
        const: {
          type: 'string',
          items: 'a value, and no schema, however much it looks like one to a walker',
        },
      },
    ),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom('a', 'items', 'type', '$ref'), tie('schema')),
      additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
    }),
  ),
}));

it('says the same as the whole schema', () => {
  fc.assert(fc.property(schema, (one) => void saysTheSame(one)));
});

it.each([
  ['of an iteration', IterationRecord],
  ['of the journal', JournalBody],
])('has each part of the record %s once', (_, type) => {
  const { $schema, ...all } = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' });
  const shared = saysTheSame(all as Schema);
  const parts = Object.values(shared.$defs as Record<string, unknown>).map((part) => JSON.stringify(part));
  expect(new Set(parts).size).toBe(parts.length);
  expect(JSON.stringify(shared).length).toBeLessThan(JSON.stringify(all).length * 0.6);
});
