import { mkdirSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeOwnRef } from '../../../src/io/git/checkpoints.ts';
import { locate } from '../../../src/io/git/repository/locate.ts';
import { makeRepository } from '../../helpers/repository.ts';

const NAME = 'refs/ralph/checkpoints/kept/1';

async function made() {
  const repo = makeRepository();
  const located = await locate(repo.root);
  if (!located.ok) throw new Error(located.message);
  const { tree } = located;
  mkdirSync(repo.path('.git/ralph'));
  return { repo, make: (name: string) => makeOwnRef(tree, name, repo.git('rev-parse', 'HEAD')) };
}

it('makes a ref that git reads, and leaves nothing beside it', async () => {
  const { repo, make } = await made();
  repo.git('update-ref', 'refs/ralph/other', 'HEAD');
  expect(make(NAME)).toBe(true);
  expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/ralph')).toBe(`${NAME}\nrefs/ralph/other`);
  expect(repo.git('rev-parse', NAME)).toBe(repo.git('rev-parse', 'HEAD'));
  repo.git('pack-refs', '--all');
  expect(repo.git('rev-parse', NAME)).toBe(repo.git('rev-parse', 'HEAD'));
  expect(readdirSync(repo.path('.git/ralph'))).toEqual([]);
});

it('leaves it to git where there is one, or it cannot be made', async () => {
  const { repo, make } = await made();
  make(NAME);
  expect(make(NAME)).toBe(false);
  // A ref in the place of a folder.
  expect(make(`${NAME}/more`)).toBe(false);
  expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/ralph')).toBe(NAME);
});
