import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { expect, it } from 'vitest';
import { openTestGit } from '../../helpers/open-test-git.ts';
import { makeRepository, type TestRepository } from '../../helpers/repository.ts';

const START = { 'test/a.txt': 'checks much\n', 'test/b.txt': 'checks nothing\n', 'src/c.txt': 'c\n' };

/** The same file, by its second name the same, too, with the content of another object. */
function overwrite(repo: TestRepository, name: string, by: string): string {
  const file = repo.object(name);
  chmodSync(file, 0o644);
  writeFileSync(file, readFileSync(repo.object(by)));
  return file;
}

it.each([
  ['the old content of a file', 'HEAD:test/a.txt', 'HEAD:test/b.txt'],
  ['a folder as it was', 'HEAD:test', 'HEAD:src'],
])('a diff is not shown where an agent overwrote %s', async (_, name, by) => {
  const repo = makeRepository(START);
  const git = await openTestGit(repo.root);
  const before = await git.snapshot();
  repo.write('test/a.txt', 'checks nothing\n');
  const file = overwrite(repo, name, by);
  await expect(git.diffWithPatch(before, 'now', 1_000_000)).rejects.toThrow(`${file} was changed`);
});

it('a diff is shown where objects are in packs, in submodules, or what is not compared was overwritten', async () => {
  const repo = makeRepository(START);
  repo.git('gc', '-q');
  repo.write('.gitmodules', '');
  repo.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},inner`);
  repo.git('commit', '-q', '-m', 'inner');
  const git = await openTestGit(repo.root);
  const before = await git.snapshot();
  const other = repo.object('HEAD:src/c.txt');
  repo.write(relative(repo.root, other), 'no object');
  repo.write('test/a.txt', 'checks nothing more\n');
  const { changes } = await git.diffWithPatch(before, 'now', 1_000_000);
  expect(changes.changes.map(({ path }) => path)).toContain('test/a.txt');
});
