import { expect, it } from 'vitest';
import { openTestGit } from '../../helpers/open-test-git.ts';
import { RANDOM_IGNORES, randomTree } from '../../helpers/random-tree.ts';
import { coldTree, makeRepository } from '../../helpers/repository.ts';

/** A small dose; the torture run has more rounds and seeds. */
const ROUNDS = 8;
const STEPS_PER_ROUND = 4;

it.each([1, 2])('a warm snapshot equals hashing everything from nothing (seed %i)', async (seed) => {
  const repo = makeRepository({
    '.gitignore': RANDOM_IGNORES,
    'src/a': 'a\n',
    'docs/b.txt': 'b\n',
    Z: 'z\n',
  });
  const git = await openTestGit(repo.root);
  const step = randomTree(repo.root, seed);
  for (let round = 0; round < ROUNDS; round += 1) {
    const done = Array.from({ length: STEPS_PER_ROUND }, step);
    const { tree } = await git.snapshot();
    expect(tree, `after ${done.join(', ')} in round ${round}`).toBe(coldTree(repo.root));
  }
});
