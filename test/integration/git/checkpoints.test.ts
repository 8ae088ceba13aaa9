import { expect, it, onTestFinished, vi } from 'vitest';
import { openTestGit } from '../../helpers/open-test-git.ts';
import { makeRepository } from '../../helpers/repository.ts';

it('lists checkpoints newest first, with what each one holds', async () => {
  const repo = makeRepository({ 'a.txt': 'one\n' });
  const git = await openTestGit(repo.root);
  const first = await git.snapshot();
  vi.useFakeTimers({ toFake: ['Date'], now: 1_700_000_000_000 });
  onTestFinished(() => void vi.useRealTimers());
  await git.checkpoint('r-20260101-000000-aaaa', 9, first);
  await git.checkpoint('r-20260101-000000-aaaa', 10, first);
  vi.setSystemTime(1_700_000_060_000);
  repo.write('a.txt', 'two\n');
  const { tree } = await git.snapshot();
  await git.keep(tree, 'before the rollback\nof r-1');
  expect(await git.checkpoints()).toEqual([
    {
      id: 'kept/1',
      at: '2023-11-14T22:14:20.000Z',
      tree,
      head: null,
      kept: true,
      note: 'before the rollback of r-1',
    },
    ...[10, 9].map((number) => ({
      id: `r-20260101-000000-aaaa/${number}`,
      at: '2023-11-14T22:13:20.000Z',
      tree: first.tree,
      head: first.head,
      kept: false,
      note: `before iteration ${number} of run r-20260101-000000-aaaa`,
    })),
  ]);
});

it('makes commits that git finds sound, of the tree and on the commit of the moment', async () => {
  const repo = makeRepository({ 'a.txt': 'one\n' });
  const git = await openTestGit(repo.root);
  repo.write('ü/b.txt', 'two\n');
  const snapshot = await git.snapshot();
  const began = Math.floor(Date.now() / 1000);
  await git.checkpoint('r-1', 1, snapshot);
  const kept = await git.keep(snapshot.tree, 'größer\nals zuvor');
  expect(kept).toBe('kept/1');
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  const shown = (id: string) =>
    repo.git('log', '-1', '--format=%T|%P|%an|%ae|%cn|%s', `refs/ralph/checkpoints/${id}`);
  expect(shown('r-1/1')).toBe(
    `${snapshot.tree}|${snapshot.head}|ralph|ralph@localhost|ralph|ralph checkpoint r-1/1`,
  );
  expect(shown('kept/1')).toBe(`${snapshot.tree}||ralph|ralph@localhost|ralph|größer als zuvor`);
  const at = Number(repo.git('log', '-1', '--format=%ct', 'refs/ralph/checkpoints/r-1/1'));
  expect(at).toBeGreaterThanOrEqual(began);
  expect((await git.checkpoints()).map(({ id }) => id).sort()).toEqual(['kept/1', 'r-1/1']);
});

it('never prunes what was kept for a rollback; the user drops it', async () => {
  const repo = makeRepository({ 'a.txt': 'one\n' });
  const git = await openTestGit(repo.root);
  const snapshot = await git.snapshot();
  await git.checkpoint('r', 1, snapshot);
  await git.keep(snapshot.tree, 'first');
  await git.keep(snapshot.tree, 'second');
  await git.checkpoint('r', 2, snapshot);
  await git.pruneCheckpoints({ keep: 0, retentionMinutes: -1 });
  const ids = async () => (await git.checkpoints()).map(({ id }) => id);
  expect(await ids()).toEqual(['kept/2', 'kept/1']);
  expect(await git.dropCheckpoint('kept/1')).toBe(true);
  expect(await git.dropCheckpoint('kept/1')).toBe(false);
  expect(await git.dropCheckpoint('kept')).toBe(false);
  expect(await git.dropCheckpoint('../../heads/main')).toBe(false);
  expect(await ids()).toEqual(['kept/2']);
  expect(repo.git('rev-parse', 'main')).toBe(snapshot.head);
});

it('prints the difference of two trees, whole lines as far as they fit', async () => {
  const repo = makeRepository({ 'a.txt': 'one\n' });
  const git = await openTestGit(repo.root);
  const before = await git.snapshot();
  repo.write('a.txt', 'two\n');
  const after = await git.snapshot();
  const patch = await git.patchBetween(before.tree, after.tree, 10_000);
  expect(patch.split('\n').slice(-4)).toEqual(['@@ -1 +1 @@', '-one', '+two', '']);
  expect(await git.patchBetween(before.tree, after.tree, patch.length - 1)).toBe(patch.replace('+two\n', ''));
  expect(await git.patchBetween(before.tree, before.tree, 10)).toBe('');
});
