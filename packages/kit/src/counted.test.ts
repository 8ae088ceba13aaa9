import fc from 'fast-check';
import { expect, it } from 'vitest';
import { grouped } from './counted.ts';

it('groups digits as English does', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      expect(grouped(value)).toBe(value.toLocaleString('en-US'));
    }),
    { examples: [[0], [999], [1000], [-1000], [-999], [1_000_000]] },
  );
});
