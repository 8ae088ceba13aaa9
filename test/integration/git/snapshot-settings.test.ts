import { truncateSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openTestGit } from '../../helpers/open-test-git.ts';
import { makeRepository } from '../../helpers/repository.ts';

const IGNORES = { '.gitignore': 'dist/\n*.log\n', 'a.txt': 'one\n' };

it('ignored files that the settings name count as work', async () => {
  const repo = makeRepository(IGNORES);
  repo.write('dist/old.js', 'old\n');
  const git = await openTestGit(repo.root, { includeIgnored: ['dist/**/*.js'] });
  const before = await git.snapshot();
  repo.write('dist/old.js', 'new\n');
  repo.write('dist/deep/made.js', 'x\n');
  repo.write('dist/other.css', 'x\n');
  repo.write('x.log', 'x\n');
  const after = await git.snapshot();
  const { changes } = await git.diff(before, after);
  expect(changes.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
    'added dist/deep/made.js',
    'modified dist/old.js',
  ]);
  expect(repo.git('status', '--porcelain')).toBe('');
});

it('a warm index of an earlier process does not lose them', async () => {
  const repo = makeRepository(IGNORES);
  repo.write('dist/a.js', 'a\n');
  const first = await (await openTestGit(repo.root, { includeIgnored: ['dist/*'] })).snapshot();
  const second = await (await openTestGit(repo.root, { includeIgnored: ['dist/*'] })).snapshot();
  expect(second.tree).toBe(first.tree);
});

it('removes the checkpoints that neither age nor count keeps', async () => {
  const repo = makeRepository({ 'a.txt': 'one\n' });
  const git = await openTestGit(repo.root, {});
  const snapshot = await git.snapshot();
  for (const number of [1, 2, 3]) await git.checkpoint('r', number, snapshot);
  const left = () => repo.git('for-each-ref', '--format=%(refname)', 'refs/ralph/checkpoints').split('\n');
  await git.pruneCheckpoints({ keep: 1, retentionMinutes: 30 });
  expect(left()).toHaveLength(3);
  await git.pruneCheckpoints({ keep: 1, retentionMinutes: -1 });
  expect(left()).toHaveLength(1);
});

it('a file of holes is refused: stored it would fill the disk', async () => {
  const repo = makeRepository({ 'a.txt': 'one\n' });
  const git = await openTestGit(repo.root);
  repo.write('holes.bin', '');
  truncateSync(repo.path('holes.bin'), 2 ** 40);
  await expect(git.snapshot()).rejects.toThrow(
    'holes.bin has 1048576 MiB, but next to nothing of it is on the disk',
  );
  repo.write('.gitignore', 'holes.bin\n');
  await expect(git.snapshot()).resolves.toMatchObject({ head: expect.any(String) });
});
