import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gitCall } from '../../../../src/git/call/environment.ts';
import { openRefTransactions } from '../../../../src/git/objects/long-lived.ts';
import { openRefs } from '../../../../src/git/objects/refs.ts';
import { testTree } from '../../../helpers/objects/open-test-objects.ts';
import { randomNumbers } from '../../../helpers/random-tree.ts';
import { makeRepository, temporaryFolder } from '../../../helpers/repository.ts';

/** A repository with two commits, and what reads its refs. */
function start() {
  const repository = makeRepository();
  const first = repository.git('rev-parse', 'HEAD');
  repository.write('b', 'b');
  const second = repository.commitAll('second');
  const tree = testTree(repository.root);
  return { repository, first, second, tree, refs: openRefs(tree) };
}

const NAMES = [
  'refs/heads/a',
  'refs/heads/b/c',
  'refs/ralph/results/T-1/1',
  'refs/tags/v1',
  'refs/ralph/seen',
];

it.each([1, 2, 3])('random refs are read as git reads them (seed %i)', (seed) => {
  const { repository, first, second, refs } = start();
  const random = randomNumbers(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const steps = [
    () => repository.git('update-ref', pick(NAMES), pick([first, second])),
    () => repository.git('update-ref', pick(NAMES), pick([first, second])),
    () => repository.git('update-ref', '-d', pick(NAMES)),
    () => repository.git('pack-refs', '--all'),
    () => repository.git('symbolic-ref', 'refs/heads/link', pick(NAMES)),
    () =>
      repository.git('symbolic-ref', 'HEAD', pick(['refs/heads/main', 'refs/heads/a', 'refs/heads/none'])),
  ];
  for (let step = 0; step < 40; step += 1) {
    pick(steps)();
    const listed = repository.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/').split('\n');
    expect([...refs.below(['refs/'])].map((ref) => ref.join(' '))).toEqual(listed);
    for (const name of [...NAMES, 'HEAD', 'refs/heads/link']) {
      const said = spawnSync('git', ['rev-parse', '-q', '--verify', name], { cwd: repository.root });
      expect([name, refs.resolve(name)]).toEqual([name, said.stdout.toString('utf8').trim() || null]);
    }
    expect(refs.head()).toBe(repository.git('symbolic-ref', 'HEAD'));
  }
});

it('reads those of a linked work tree', () => {
  const { repository, first, second } = start();
  const linked = join(temporaryFolder(), 'linked');
  repository.git('worktree', 'add', '-q', '--detach', linked, first);
  spawnSync('git', ['update-ref', 'refs/worktree/own', first], { cwd: linked });
  const gitDir = join(repository.root, '.git/worktrees/linked');
  const refs = openRefs({ gitDir, commonDir: join(repository.root, '.git') });
  expect(refs.head()).toBeNull();
  expect(refs.resolve('HEAD')).toBe(first);
  expect(refs.resolve('refs/heads/main')).toBe(second);
  expect(refs.resolve('refs/worktree/own')).toBe(first);
  expect(openRefs(testTree(repository.root)).resolve('refs/worktree/own')).toBeNull();
});

it("reads nothing outside of the folder of refs, and nothing in it that isn't a ref", () => {
  const { repository, second, refs } = start();
  writeFileSync(join(repository.root, 'outside'), `${second}\n`);
  writeFileSync(join(repository.root, '.git/refs/heads/loop'), 'ref: refs/heads/loop\n');
  writeFileSync(join(repository.root, '.git/refs/heads/broken'), 'nothing\n');
  for (const name of [
    'refs/../../outside',
    '../outside',
    'refs/heads/loop',
    'refs/heads/broken',
    'refs/heads',
    '',
  ])
    expect([name, refs.resolve(name)]).toEqual([name, null]);
});

it('moves refs all or none, and continues after git has refused', async () => {
  const { repository, first, second, tree } = start();
  const transactions = openRefTransactions(() => gitCall({ kind: 'objects', tree }), 'test');
  const zero = '0'.repeat(40);
  const create = [`create refs/ralph/a ${first}`, `update refs/ralph/b ${second} ${zero}`];
  expect(await transactions.move(create)).toEqual({ kind: 'moved' });
  const refused = [`update refs/ralph/a ${second} ${first}`, `update refs/ralph/b ${first} ${first}`];
  expect(await transactions.move(refused)).toMatchObject({
    kind: 'refused',
    why: expect.stringContaining('refs/ralph/b'),
  });
  expect(repository.git('rev-parse', 'refs/ralph/a')).toBe(first);
  // Asked at once: the one behind a refusal isn't drawn into it.
  const both = await Promise.all([
    transactions.move([`create refs/ralph/a ${second}`]),
    transactions.move([`update refs/ralph/a ${second} ${first}`]),
  ]);
  expect(both.map(({ kind }) => kind)).toEqual(['refused', 'moved']);
  expect(repository.git('rev-parse', 'refs/ralph/a')).toBe(second);
  writeFileSync(join(repository.root, '.git/refs/ralph/b.lock'), '');
  expect(await transactions.move([`delete refs/ralph/b ${second}`])).toMatchObject({
    kind: 'refused',
    why: expect.stringContaining('File exists'),
  });
  transactions.end();
});

it('leaves no lock between two transactions', async () => {
  const { repository, first, second, tree } = start();
  const transactions = openRefTransactions(() => gitCall({ kind: 'objects', tree }), 'test');
  await transactions.move([`create refs/ralph/a ${first}`]);
  repository.git('update-ref', 'refs/ralph/a', second, first);
  repository.git('pack-refs', '--all', '--prune');
  expect(await transactions.move([`update refs/ralph/a ${first} ${second}`])).toEqual({ kind: 'moved' });
  transactions.end();
});
