import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Git } from '../../../src/domain/ports.ts';
import { openTestGit } from '../../helpers/open-test-git.ts';
import { makeRepository, type TestRepository } from '../../helpers/repository.ts';

type Site = { readonly repository: TestRepository; readonly git: Git };

async function site(files: Readonly<Record<string, string>> = {}): Promise<Site> {
  const repository = makeRepository({ 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n', ...files });
  return { repository, git: await openTestGit(repository.root) };
}

describe('compose', () => {
  it('takes back these paths alone: changed, added and deleted ones', async () => {
    const { repository, git } = await site();
    const before = await git.snapshot();
    repository.write('a.txt', 'agent\n');
    repository.write('new/deep.txt', 'agent\n');
    repository.write('mine.txt', 'mine\n');
    repository.git('rm', '-q', '--cached', 'b.txt');
    repository.remove('b.txt');
    const now = await git.snapshot();
    const paths = ['a.txt', 'new/deep.txt', 'b.txt'];
    const target = await git.compose({ base: now.tree, from: before.tree, paths });
    const kept = await git.keepForRestore(target, 'work');
    expect(await git.restore(target, kept)).toMatchObject({ kind: 'restored' });
    expect(repository.read('a.txt')).toBe('one\ntwo\nthree\n');
    expect([repository.exists('new'), repository.exists('mine.txt')]).toEqual([false, true]);
    expect(repository.read('b.txt')).toBe('b\n');
  });
});

describe('a patch of set-aside work', () => {
  it('applies again byte for byte, whatever is in it', async () => {
    const { repository, git } = await site();
    const before = await git.snapshot();
    repository.write('a.txt', 'one\nAGENT\nthree\r\n');
    repository.write('bin', 'a\u0000b\u00ff');
    repository.write('no newline', 'x');
    const after = await git.snapshot();
    const patch = await git.wholePatch(before.tree, after.tree);
    expect(await git.applyToTree(before.tree, patch)).toBe(after.tree);
    repository.write('b.txt', 'mine\n');
    const both = await git.snapshot();
    const mine = await git.compose({ base: before.tree, from: both.tree, paths: ['b.txt'] });
    expect(await git.applyToTree(mine, patch)).toBe(both.tree);
    expect(await git.applyToTree(after.tree, patch)).toBeNull();
  });
});

describe('commits of an agent', () => {
  async function committed() {
    const { repository, git } = await site();
    const { head, branch } = await git.snapshot();
    repository.write('a.txt', 'agent\n');
    repository.git('commit', '-qam', 'of the agent');
    const commits = [repository.git('rev-parse', 'HEAD')];
    return { repository, git, series: { head, branch, commits } };
  }
  const KEPT = 'refs/ralph/kept/r-1';

  it('go back with the branch, and stay at a ref; the index follows', async () => {
    const { repository, git, series } = await committed();
    const outcome = await git.takeBackCommits(series, KEPT);
    expect(outcome).toMatchObject({ kind: 'taken_back', count: 1 });
    expect(repository.git('rev-parse', 'HEAD')).toBe(series.head);
    expect(repository.git('rev-parse', KEPT)).toBe(series.commits[0]);
    expect(repository.git('diff', '--cached', '--name-only')).toBe('');
    expect(repository.read('a.txt')).toBe('agent\n');
  });

  it.each([
    ['a branch of yours holds them', (one: TestRepository) => one.git('branch', 'mine')],
    [
      'a branch of yours holds the first of them',
      (one: TestRepository, series: { commits: string[] }) => {
        one.git('branch', 'mine');
        one.git('commit', '-q', '--allow-empty', '-m', 'of the agent');
        series.commits.push(one.git('rev-parse', 'HEAD'));
      },
    ],
    ['a remote has them', (one: TestRepository) => one.git('update-ref', 'refs/remotes/origin/main', 'HEAD')],
    [
      'a commit of yours lies on top',
      (one: TestRepository) => one.git('commit', '-q', '--allow-empty', '-m', 'mine'),
    ],
    ['another branch is checked out', (one: TestRepository) => one.git('switch', '-qc', 'other')],
  ])('stay where %s', async (_, change) => {
    const { repository, git, series } = await committed();
    change(repository, series);
    const head = repository.git('rev-parse', 'HEAD');
    expect(await git.takeBackCommits(series, KEPT)).toMatchObject({ kind: 'stayed' });
    expect(repository.git('rev-parse', 'HEAD')).toBe(head);
    expect(existsSync(join(repository.root, '.git', KEPT))).toBe(false);
  });

  it('what you staged on top of them stays staged', async () => {
    const { repository, git, series } = await committed();
    repository.write('a.txt', 'mine\n');
    repository.git('add', 'a.txt');
    expect(await git.takeBackCommits(series, KEPT)).toMatchObject({ kind: 'taken_back' });
    expect(repository.git('show', ':a.txt')).toBe('mine');
  });

  it('are none of its business where there are none', async () => {
    const { git } = await site();
    const { head, branch } = await git.snapshot();
    expect(await git.takeBackCommits({ head, branch, commits: [] }, KEPT)).toEqual({ kind: 'none' });
  });
});

describe('ignored files and folders', () => {
  it('are named where they, or what lies right in them, changed since', async () => {
    const { repository, git } = await site({ '.gitignore': 'modules/\n*.log\n.ralph/\n' });
    repository.write('modules/old/a.js', 'a\n');
    repository.write('.ralph/state.json', '{}\n');
    repository.write(' odd .log', 'x\n');
    expect(await git.ignoredSince(new Date(Date.now() - 60_000).toISOString())).toEqual([
      ' odd .log',
      'modules/',
    ]);
    expect(await git.ignoredSince(new Date(Date.now() + 60_000).toISOString())).toEqual([]);
    expect(await git.ignoredSince('')).toEqual([]);
  });
});
