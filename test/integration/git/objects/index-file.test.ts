import { spawnSync } from 'node:child_process';
import { readFileBytes } from 'ralph-kit/files/plain-file';
import { expect, it } from 'vitest';
import { parseIndexFile } from '../../../../src/git/objects/index-file.ts';
import { randomNumbers } from '../../../helpers/random-tree.ts';
import { makeRepository, type TestRepository } from '../../../helpers/repository.ts';

function entriesOf({ path }: TestRepository) {
  return parseIndexFile(readFileBytes(path('.git/index')), 40);
}

/** What git lists of its index: entries, and the letters that stand for flags. */
function listed({ root }: TestRepository) {
  const list = (...args: string[]) =>
    spawnSync('git', ['ls-files', '-z', ...args], { cwd: root })
      .stdout.toString('latin1')
      .split('\0')
      .slice(0, -1);
  return { staged: list('--stage'), flags: list('-v') };
}

const STEPS: readonly (readonly string[])[] = [
  ['update-index', '--assume-unchanged'],
  ['update-index', '--no-assume-unchanged'],
  ['update-index', '--skip-worktree'],
  ['update-index', '--no-skip-worktree'],
  ['rm', '-q', '--cached', '--'],
  ['add', '--'],
  ['add', '-N', '--'],
];

it.each([1, 2, 3])('an index is read as git lists it, whatever flags it has (seed %i)', (seed) => {
  const repository = makeRepository(
    Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`${'d/'.repeat(at % 3)}f${'x'.repeat(at)}`, `${at}\n`]),
    ),
  );
  const random = randomNumbers(seed);
  const names = repository.git('ls-files').split('\n');
  for (let step = 0; step < 25; step += 1) {
    const args = STEPS[Math.floor(random() * STEPS.length)] as readonly string[];
    const name = names[Math.floor(random() * names.length)] as string;
    spawnSync('git', [...args, name], { cwd: repository.root });
    const entries = entriesOf(repository);
    const { staged, flags } = listed(repository);
    expect(entries?.map(({ mode, oid, stage, path }) => `${mode} ${oid} ${stage}\t${path}`)).toEqual(staged);
    const letters = entries?.map(({ assumeUnchanged, skipWorktree, path }) => {
      const letter = skipWorktree ? 'S' : 'H';
      return `${assumeUnchanged ? letter.toLowerCase() : letter} ${path}`;
    });
    expect(letters).toEqual(flags);
  }
});

it('knows the sides of a conflict', () => {
  const repository = makeRepository({ 'a.txt': 'base\n' });
  repository.git('checkout', '-q', '-b', 'other');
  repository.write('a.txt', 'theirs\n');
  repository.commitAll('theirs');
  repository.git('checkout', '-q', 'main');
  repository.write('a.txt', 'ours\n');
  repository.commitAll('ours');
  spawnSync('git', ['merge', '-q', 'other'], { cwd: repository.root });
  repository.write('new.txt', 'new\n');
  repository.git('add', '-N', 'new.txt');
  expect(entriesOf(repository)?.map(({ path, stage }) => [path, stage])).toEqual([
    ['a.txt', 1],
    ['a.txt', 2],
    ['a.txt', 3],
    ['new.txt', 0],
  ]);
});

it('leaves to git what only git reads: version 4, a split index, folders of a sparse one, and what is cut off', () => {
  const ways: readonly (readonly string[])[] = [
    ['update-index', '--index-version', '4'],
    ['update-index', '--split-index'],
    ['sparse-checkout', 'set', '--cone', '--sparse-index', 'a'],
  ];
  for (const way of ways) {
    const repository = makeRepository({ 'a/b': '1\n', 'c/d': '2\n' });
    expect(entriesOf(repository)).toHaveLength(2);
    repository.git(...way);
    expect(entriesOf(repository)).toBeNull();
  }
  const { path } = makeRepository({ 'a/b': '1\n', 'c/d': '2\n' });
  const whole = readFileBytes(path('.git/index'));
  for (const length of [0, 4, 11, 40, 100, whole.length - 25]) {
    const cut = Buffer.concat([whole.subarray(0, length), Buffer.alloc(20)]);
    expect(parseIndexFile(cut, 40)).toBeNull();
  }
});
