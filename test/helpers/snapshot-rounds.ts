import { setTimeout as delay } from 'node:timers/promises';
import { openTestGit } from './open-test-git.ts';
import { RANDOM_IGNORES, randomTree } from './random-tree.ts';
import { coldTree, makeRepository } from './repository.ts';

/** Lets a work tree grow older than the index that is made of it, or does not. */
export type Age = () => Promise<void>;

export const AT_ONCE: Age = async () => undefined;

/** Git tells times apart by the second, and the index gets the second in which the reading began. */
export const TWO_SECONDS: Age = () => delay(2050);

const STEPS_PER_ROUND = 4;

/**
 * Rounds of random changes in one repository; after each, a warm snapshot beside hashing everything from nothing.
 * Returns one line for each difference.
 */
export async function snapshotRounds(seed: number, rounds: number, age: Age = AT_ONCE): Promise<string[]> {
  const repo = makeRepository({
    '.gitignore': RANDOM_IGNORES,
    'src/a': 'a\n',
    'docs/b.txt': 'b\n',
    Z: 'z\n',
  });
  const git = await openTestGit(repo.root);
  const step = randomTree(repo.root, seed);
  const differences: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const done = Array.from({ length: STEPS_PER_ROUND }, step);
    await age();
    const { tree } = await git.snapshot();
    const cold = coldTree(repo.root);
    if (tree !== cold)
      differences.push(`seed ${seed}, round ${round}, after ${done.join(', ')}: ${tree} instead of ${cold}`);
  }
  return differences;
}
