import fc from 'fast-check';
import { expect, it } from 'vitest';
import { narrow } from './narrow.ts';

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
        const found = await narrow(all, isEnough, 200);
        if (needed.length > 0) expect(found).toEqual(needed);
        if (needed.length === 1)
          expect(asked.length).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(all.length)));
      },
    ),
  );
});

it('finds nothing where all is not enough, and gives up after so many trials', async () => {
  expect(await narrow([1, 2, 3], async () => false, 10)).toBeNull();
  const all = [...Array(64).keys()];
  const isEnough = async (part: readonly number[]) => part.length === 64;
  expect(await narrow(all, isEnough, 10)).toBeNull();
});
