import { expect, it } from 'vitest';
import type { BytePath } from '../../../../src/git/call/git-path.ts';
import { makeObjects } from '../../../helpers/objects/open-test-objects.ts';
import { treeRounds } from '../../../helpers/objects/tree-rounds.ts';
import { runTestGit } from '../../../helpers/repository.ts';

/** A small dose; the torture run has 10,000 rounds. */
const ROUNDS = 60;

it.each([
  [1, 'sha1'],
  [2, 'sha1'],
  [3, 'sha256'],
] as const)('random trees and edits are those that git makes (seed %i, %s)', async (seed, format) => {
  expect(await treeRounds(seed, ROUNDS, format)).toEqual([]);
});

const path = (text: string) => text as BytePath;

it('refuses names that git refuses, and a file that would be a folder, too', async () => {
  const { objects } = makeObjects();
  const oid = await objects.write('blob', Buffer.from('x\n'));
  const file = { mode: '100644', oid };
  for (const name of ['.git/hooks/x', 'a/.GIT', '../x', 'a//b', './x', '']) {
    await expect(objects.edit(null, new Map([[path(name), file]]))).rejects.toThrow("a tree can't hold");
  }
  const both = new Map([
    [path('a'), file],
    [path('a/b'), file],
  ]);
  await expect(objects.edit(null, both)).rejects.toThrow("can't be a file and a folder");
});

it('takes out a folder with all that is in it, and a file alone where a file is meant', async () => {
  const { objects, root } = makeObjects();
  const oid = await objects.write('blob', Buffer.from('x\n'));
  const file = { mode: '100644', oid };
  const tree = await objects.edit(null, new Map(['a/b', 'a/c/d', 'e'].map((name) => [path(name), file])));
  const left = async (edits: Iterable<readonly [BytePath, null | 'all']>) =>
    runTestGit(root, ['ls-tree', '-r', '--name-only', await objects.edit(tree, new Map(edits))]);
  expect(await left([[path('a'), 'all']])).toBe('e');
  expect(await left([[path('a'), null]])).toBe('a/b\na/c/d\ne');
  expect(await left([[path('a/b'), null]])).toBe('a/c/d\ne');
  expect(await left([[path('a/c'), 'all']])).toBe('a/b\ne');
  expect(await left([[path('nothing/there'), 'all']])).toBe('a/b\na/c/d\ne');
});

it('finds what stands at a path', async () => {
  const { objects } = makeObjects();
  const oid = await objects.write('blob', Buffer.from('x\n'));
  const tree = await objects.edit(null, new Map([[path('a/b'), { mode: '100755', oid }]]));
  expect(await objects.entryAt(tree, path('a/b'))).toEqual({ mode: '100755', oid });
  expect((await objects.entryAt(tree, path('a')))?.mode).toBe('040000');
  expect(await objects.entryAt(tree, path('a/b/c'))).toBeNull();
  expect(await objects.entryAt(tree, path('x'))).toBeNull();
});
