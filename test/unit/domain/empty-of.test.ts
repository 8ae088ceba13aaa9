import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { emptyOf } from '../../../src/domain/empty-of.ts';

it('returns the value of each kind of field before anything happened', () => {
  const schema = z.object({
    list: z.array(z.string()),
    table: z.record(z.string(), z.number()),
    inner: z.object({ count: z.number(), word: z.enum(['first', 'second']) }),
    text: z.string(),
    flag: z.boolean(),
    unknown: z.nullable(z.object({ count: z.number() })),
    absent: z.optional(z.string()),
    usual: z._default(z.number(), 1),
  });
  expect(emptyOf(schema)).toStrictEqual({
    list: [],
    table: {},
    inner: { count: 0, word: 'first' },
    text: '',
    flag: false,
    unknown: null,
    usual: 1,
  });
});

it('throws for a type that has no such value', () => {
  expect(() => emptyOf(z.union([z.string(), z.number()]))).toThrow('union');
});
