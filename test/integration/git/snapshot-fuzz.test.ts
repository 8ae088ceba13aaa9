/** @module-tag slow */

import { expect, it } from 'vitest';
import { snapshotRounds, TWO_SECONDS } from '../../helpers/snapshot-rounds.ts';
import '../../helpers/repository.ts';

/** A small dose; the torture run has 1,000 rounds. */
const ROUNDS = 8;

it.each([1, 2])('a warm snapshot equals hashing everything from nothing (seed %i)', async (seed) => {
  expect(await snapshotRounds(seed, ROUNDS)).toEqual([]);
});

it('equals it also where everything is older than the index', async () => {
  const found = await Promise.all([3, 4].map((seed) => snapshotRounds(seed, 2, TWO_SECONDS)));
  expect(found.flat()).toEqual([]);
});
