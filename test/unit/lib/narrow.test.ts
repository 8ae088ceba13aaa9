import fc from 'fast-check';
import { expect, it } from 'vitest';
import { narrow } from '../../../src/lib/narrow.ts';

it('finds what is needed, whatever that is', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 40 }),
      fc.nat(),
      async (all, seed) => {
        const needed = all.filter((_, at) => (seed >> (at % 30)) % 5 === 1);
        const asked: number[] = [];
        const isEnough = async (part: readonly number[]) => {
          asked.push(part.length);
          return needed.every((one) => part.includes(one));
        };
        const found = await narrow(all, isEnough);
        if (needed.length > 0) expect(found).toEqual(needed);
        if (needed.length === 1)
          expect(asked.length).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(all.length)));
      },
    ),
  );
});
