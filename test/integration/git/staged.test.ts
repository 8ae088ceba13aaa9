import { rmSync, statSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { openTestGit } from '../../helpers/open-test-git.ts';
import { makeRepository, type TestRepository } from '../../helpers/repository.ts';

const FILES = { 'a.txt': 'one\n', 'b.txt': 'two\n' };
/** Each is done on top of those before it: it must not be answered by what was staged then. */
const STEPS: readonly {
  readonly what: string;
  readonly act: (repo: TestRepository) => void;
  readonly staged: Readonly<Record<string, string>>;
}[] = [
  { what: 'nothing', act: () => undefined, staged: {} },
  {
    what: 'a change',
    act: (repo) => {
      repo.write('a.txt', 'changed\n');
      repo.git('add', 'a.txt');
    },
    staged: { 'a.txt': 'changed\n' },
  },
  {
    what: 'another of the same size',
    act: (repo) => {
      repo.write('a.txt', 'CHANGED\n');
      repo.git('add', 'a.txt');
    },
    staged: { 'a.txt': 'CHANGED\n' },
  },
  {
    what: 'a new file',
    act: (repo) => {
      repo.write('ü/new.txt', 'new\n');
      repo.git('add', '.');
    },
    staged: { 'a.txt': 'CHANGED\n', 'ü/new.txt': 'new\n' },
  },
  {
    what: 'a change that is taken out again',
    act: (repo) => repo.git('reset', '--quiet', '--', 'a.txt'),
    staged: { 'ü/new.txt': 'new\n' },
  },
  {
    what: 'a commit of it',
    act: (repo) => repo.git('commit', '--quiet', '-m', 'new'),
    staged: {},
  },
  {
    what: 'a commit that is taken back, with an index that stays as it is',
    act: (repo) => repo.git('update-ref', 'HEAD', 'HEAD^'),
    staged: { 'ü/new.txt': 'new\n' },
  },
  {
    what: 'an index that is made anew',
    act: (repo) => {
      rmSync(repo.path('.git/index'));
      repo.git('reset', '--quiet');
    },
    staged: {},
  },
];

/** An index that was just written isn't remembered: it could change once more without looking different. */
const isOld = (repo: TestRepository) => Date.now() - statSync(repo.path('.git/index')).ctimeMs > 25;

it.each([
  ['at once', () => Promise.resolve(true)],
  ['once the index is old', (repo: TestRepository) => vi.waitUntil(() => isOld(repo))],
])('tells what is staged, whatever was asked before: %s', async (_, ready) => {
  const repo = makeRepository(FILES);
  const git = await openTestGit(repo.root);
  for (const { what, act, staged } of STEPS) {
    act(repo);
    await ready(repo);
    const { head } = await git.refs();
    for (const time of ['first', 'second']) {
      const found = [...(await git.staged(head))].map(([path, id]) => [
        path,
        `${repo.git('cat-file', 'blob', id)}\n`,
      ]);
      expect(Object.fromEntries(found), `${what}, asked a ${time} time`).toEqual(staged);
    }
  }
});

it('tells of nothing before the first commit', async () => {
  const repo = makeRepository(null);
  repo.write('a.txt', 'one\n');
  repo.git('add', 'a.txt');
  const git = await openTestGit(repo.root);
  expect((await git.staged((await git.refs()).head)).size).toBe(0);
});
