import { setTimeout as delay } from 'node:timers/promises';
import { openTestGit } from './open-test-git.ts';
import { RANDOM_IGNORES, randomTree } from './random-tree.ts';
import { coldTree, makeRepository } from './repository.ts';

/** Waits until a work tree is older than the index that is made of it, or doesn't wait. */
export type Age = () => Promise<void>;

export const AT_ONCE: Age = async () => undefined;

/**
 * Git compares times by the second, and the index gets the second in which its reading began, so two seconds suffice.
 */
export const TWO_SECONDS: Age = () => delay(2050);

const STEPS_PER_ROUND = 4;

/**
 * Makes rounds of random changes in one repository, and compares after each the product's snapshot with a hash of
 * everything from nothing. Returns a line for each difference.
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
