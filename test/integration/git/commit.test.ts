import { chmodSync, existsSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Git } from '../../../src/domain/ports.ts';
import { openTestGit } from '../../helpers/open-test-git.ts';
import {
  makeRepository,
  repositoryAt,
  type TestRepository,
  temporaryFolder,
} from '../../helpers/repository.ts';

const FILES = { 'a.txt': 'one\n', 'b.txt': 'two\n', 'mine.txt': 'mine\n', 'dir/c.txt': 'three\n' };

/** What an attempt changes, and the commit of exactly that. */
async function commitAttempt(repo: TestRepository, act: () => void, message = 'work') {
  const git = await openTestGit(repo.root);
  const before = await git.snapshot();
  act();
  const after = await git.snapshot();
  return { git, after, outcome: await git.commit(after, await changed(git, before, after), message) };
}

async function changed(git: Git, ...[before, after]: Parameters<Git['diff']>): Promise<string[]> {
  const { changes } = await git.diff(before, after);
  return changes.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [oldPath, path]));
}

const names = (repo: TestRepository) =>
  repo.git('show', '--format=', '--name-status', '--no-renames', 'HEAD').split('\n');

function hook(repo: TestRepository, name: string, script: string): void {
  repo.write(`.git/hooks/${name}`, `#!/bin/sh\n${script}\n`);
  chmodSync(repo.path(`.git/hooks/${name}`), 0o755);
}

it('commits exactly the change set; what the user has staged and lying around stays', async () => {
  const repo = makeRepository(FILES);
  repo.write('mine.txt', 'staged\n');
  repo.write('staged-new.txt', 'staged\n');
  repo.git('add', 'mine.txt', 'staged-new.txt');
  repo.write('mine.txt', 'and later\n');
  repo.write('untracked.txt', 'mine\n');
  repo.git('rm', '-q', '--cached', 'b.txt');
  const staged = repo.git('diff', '--cached', '--raw', '--abbrev=40');
  const { outcome } = await commitAttempt(repo, () => {
    repo.write('a.txt', 'changed\n');
    repo.write('new.txt', 'new\n');
    renameSync(repo.path('dir/c.txt'), repo.path('dir/d.txt'));
  });
  expect(outcome).toEqual({
    kind: 'committed',
    commit: repo.git('rev-parse', 'HEAD'),
    paths: ['a.txt', 'dir/c.txt', 'dir/d.txt', 'new.txt'],
  });
  expect(names(repo)).toEqual(['M\ta.txt', 'D\tdir/c.txt', 'A\tdir/d.txt', 'A\tnew.txt']);
  expect(repo.git('diff', '--cached', '--raw', '--abbrev=40')).toBe(staged);
  expect(repo.git('status', '--porcelain').split('\n')).toEqual([
    'D  b.txt',
    'MM mine.txt',
    'A  staged-new.txt',
    '?? b.txt',
    '?? untracked.txt',
  ]);
  expect(repo.git('log', '-1', '--format=%an <%ae>')).toBe('Test Person <person@example.com>');
});

it('takes the message as it is, and nothing of it as a command', async () => {
  const repo = makeRepository(FILES);
  repo.git('config', 'commit.cleanup', 'strip');
  const message = '-F "$(touch pwned)" `x`\n\n# not a comment\nünï';
  const { outcome } = await commitAttempt(repo, () => repo.write('a.txt', 'x\n'), message);
  expect(outcome.kind).toBe('committed');
  expect(repo.git('log', '-1', '--format=%B').trim()).toBe(message);
  expect(repo.exists('pwned')).toBe(false);
});

it('commits odd names, symlinks, modes, and files that become folders', async () => {
  const repo = makeRepository(FILES);
  const { outcome } = await commitAttempt(repo, () => {
    for (const name of ['with space', 'new\nline', '"quoted"', ':colon', '-dash', '*'])
      repo.write(name, 'x\n');
    writeFileSync(Buffer.concat([Buffer.from(`${repo.root}/`), Buffer.from([0x63, 0xe9])]), 'x\n');
    symlinkSync('a.txt', repo.path('link'));
    chmodSync(repo.path('a.txt'), 0o755);
    repo.remove('b.txt');
    repo.write('b.txt/inside', 'x\n');
    repo.remove('dir');
    repo.write('dir', 'x\n');
  });
  expect(outcome.kind).toBe('committed');
  expect(repo.git('status', '--porcelain')).toBe('');
  expect(names(repo)).toHaveLength(13);
});

it('makes the first commit', async () => {
  const repo = makeRepository(null);
  repo.write('mine.txt', 'mine\n');
  const { outcome } = await commitAttempt(repo, () => repo.write('a.txt', 'x\n'));
  expect(outcome).toMatchObject({ kind: 'committed', paths: ['a.txt'] });
  expect(repo.git('status', '--porcelain')).toBe('?? mine.txt');
});

it('commits on a detached HEAD and in a linked worktree', async () => {
  const repo = makeRepository(FILES);
  repo.git('checkout', '-q', '--detach');
  expect((await commitAttempt(repo, () => repo.write('a.txt', 'x\n'))).outcome.kind).toBe('committed');
  const linked = repositoryAt(join(temporaryFolder(), 'linked'));
  repo.git('worktree', 'add', '-q', '-b', 'side', linked.root);
  const { outcome } = await commitAttempt(linked, () => linked.write('b.txt', 'x\n'));
  expect(outcome).toMatchObject({ kind: 'committed', paths: ['b.txt'] });
  expect(repo.git('status', '--porcelain')).toBe('');
});

it('runs the hooks, on what is committed', async () => {
  const repo = makeRepository(FILES);
  repo.write('mine.txt', 'staged\n');
  repo.git('add', 'mine.txt');
  hook(repo, 'pre-commit', 'git diff --cached --name-only > "$(git rev-parse --git-dir)/seen"');
  hook(repo, 'commit-msg', 'echo "Signed-by: hook" >> "$1"');
  const { outcome } = await commitAttempt(repo, () => repo.write('a.txt', 'x\n'));
  expect(outcome.kind).toBe('committed');
  expect(repo.read('.git/seen')).toBe('a.txt\n');
  expect(repo.git('log', '-1', '--format=%B')).toContain('Signed-by: hook');
});

it('a hook that looks for unstaged changes to set aside finds none, and your edit stays out and as it is', async () => {
  const repo = makeRepository(FILES);
  repo.write('mine.txt', 'edited\n');
  hook(repo, 'pre-commit', 'git diff --exit-code && git checkout -q -- . && git add -u');
  const { outcome } = await commitAttempt(repo, () => repo.write('a.txt', 'changed\n'));
  expect(outcome).toMatchObject({ kind: 'committed', paths: ['a.txt'] });
  expect(repo.read('mine.txt')).toBe('edited\n');
  expect(repo.git('status', '--porcelain')).toBe(' M mine.txt');
});

it('a hook that formats and stages: the index follows the commit', async () => {
  const repo = makeRepository(FILES);
  hook(repo, 'pre-commit', 'echo formatted > a.txt; git add a.txt');
  const { outcome } = await commitAttempt(repo, () => repo.write('a.txt', 'x\n'));
  expect(outcome.kind).toBe('committed');
  expect(repo.git('show', 'HEAD:a.txt')).toBe('formatted');
  expect(repo.git('status', '--porcelain')).toBe('');
});

it('a hook that refuses: failed, with the end of what it said, and nothing changed', async () => {
  const repo = makeRepository(FILES);
  const index = repo.read('.git/index');
  hook(repo, 'pre-commit', 'yes filler | head -n 5000; echo "lint: 3 problems" >&2; exit 1');
  const { outcome } = await commitAttempt(repo, () => repo.write('a.txt', 'x\n'));
  expect(outcome).toMatchObject({
    kind: 'failed',
    reason: expect.stringMatching(/ended with 1: .*lint: 3 problems$/s),
  });
  expect(outcome.kind === 'failed' && outcome.reason.length).toBeLessThan(2100);
  expect(repo.git('rev-list', '--count', 'HEAD')).toBe('1');
  expect(repo.read('.git/index')).toBe(index);
  expect(repo.read('a.txt')).toBe('x\n');
  expect(repo.git('ls-files', '--others', '--exclude-standard')).toBe('');
});

it('a hook that leaves a process behind does not hold the loop', async () => {
  const repo = makeRepository(FILES);
  hook(repo, 'post-commit', 'sleep 600 & echo $! > "$(git rev-parse --git-dir)/left"');
  const { outcome } = await commitAttempt(repo, () => repo.write('a.txt', 'x\n'));
  process.kill(Number(repo.read('.git/left')));
  expect(outcome.kind).toBe('committed');
});

it('without an identity: failed, with what to do', async () => {
  const repo = makeRepository(FILES);
  repo.git('config', 'user.useConfigOnly', 'true');
  const saved = Object.entries(process.env).filter(([name]) => /^GIT_(AUTHOR|COMMITTER)_/.test(name));
  for (const [name] of saved) delete process.env[name];
  try {
    const { outcome } = await commitAttempt(repo, () => repo.write('a.txt', 'x\n'));
    expect(outcome).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('git config user.name'),
    });
  } finally {
    Object.assign(process.env, Object.fromEntries(saved));
  }
});

it('respects signing: a signature that cannot be made is a failure', async () => {
  const repo = makeRepository(FILES);
  repo.git('config', 'commit.gpgSign', 'true');
  repo.git('config', 'gpg.program', 'false');
  const { outcome } = await commitAttempt(repo, () => repo.write('a.txt', 'x\n'));
  expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringContaining('sign') });
});

it('nothing to commit', async () => {
  const repo = makeRepository(FILES);
  const git = await openTestGit(repo.root);
  const snapshot = await git.snapshot();
  expect(await git.commit(snapshot, ['a.txt', 'absent.txt'], 'x')).toEqual({ kind: 'nothing' });
  expect(await git.commit(snapshot, [], 'x')).toEqual({ kind: 'nothing' });
});

it('nothing to commit when the agent committed it already', async () => {
  const repo = makeRepository(FILES);
  const { outcome } = await commitAttempt(repo, () => {
    repo.write('a.txt', 'x\n');
    repo.commitAll('mine');
  });
  expect(outcome).toEqual({ kind: 'nothing' });
});

it('skips when the user edited one of the files after the snapshot', async () => {
  const repo = makeRepository(FILES);
  const git = await openTestGit(repo.root);
  const before = await git.snapshot();
  repo.write('a.txt', 'agent\n');
  repo.write('b.txt', 'agent\n');
  const after = await git.snapshot();
  repo.write('b.txt', 'person\n');
  repo.write('mine.txt', 'person\n');
  const outcome = await git.commit(after, await changed(git, before, after), 'work');
  expect(outcome).toMatchObject({ kind: 'skipped', paths: ['b.txt'] });
  expect(repo.git('rev-list', '--count', 'HEAD')).toBe('1');
});

it('commits when the user edited another file after the snapshot', async () => {
  const repo = makeRepository(FILES);
  const git = await openTestGit(repo.root);
  await git.snapshot();
  repo.write('a.txt', 'agent\n');
  const after = await git.snapshot();
  repo.write('mine.txt', 'person\n');
  expect(await git.commit(after, ['a.txt'], 'work')).toMatchObject({ kind: 'committed', paths: ['a.txt'] });
  expect(repo.git('status', '--porcelain')).toBe('M mine.txt'.padStart(11));
});

it.each([
  ['merge', 'a merge'],
  ['cherry-pick', 'a cherry-pick'],
  ['rebase', 'a rebase'],
])('skips while a %s is in progress', async (operation, name) => {
  const repo = makeRepository(FILES);
  repo.git('checkout', '-q', '-b', 'side');
  repo.write('a.txt', 'side\n');
  repo.commitAll('side');
  repo.git('checkout', '-q', 'main');
  repo.write('a.txt', 'main\n');
  repo.commitAll('main');
  expect(() => repo.git(operation, 'side')).toThrow();
  const { outcome } = await commitAttempt(repo, () => repo.write('b.txt', 'x\n'));
  expect(outcome).toMatchObject({ kind: 'skipped', reason: expect.stringContaining(name) });
});

it("fails when another process holds the user's index", async () => {
  const repo = makeRepository(FILES);
  const { outcome } = await commitAttempt(repo, () => {
    repo.write('a.txt', 'x\n');
    repo.write('.git/index.lock', '');
  });
  expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringContaining('index.lock') });
});

it('leaves new files out that are ignored by now, and files of a repository inside', async () => {
  const repo = makeRepository({ ...FILES, 'ignored-but-tracked.log': 'x\n' });
  repo.write('debris.log', 'x\n');
  const git = await openTestGit(repo.root);
  const before = await git.snapshot();
  repo.write('.gitignore', '*.log\n');
  repo.write('debris.log', 'y\n');
  repo.write('ignored-but-tracked.log', 'y\n');
  repo.write('app/x.txt', 'x\n');
  repositoryAt(repo.path('app')).git('init', '-q');
  const after = await git.snapshot();
  const outcome = await git.commit(after, await changed(git, before, after), 'work');
  expect(outcome).toMatchObject({ kind: 'committed', paths: ['.gitignore', 'ignored-but-tracked.log'] });
});

it('commits a submodule at its commit, not what is uncommitted in it', async () => {
  const repo = makeRepository(FILES);
  const origin = makeRepository({ 'inner.txt': 'inner\n' });
  repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', origin.root, 'sub');
  repo.commitAll('submodule');
  const dirty = await commitAttempt(repo, () => repo.write('sub/inner.txt', 'dirty\n'));
  expect(dirty.outcome).toEqual({ kind: 'nothing' });
  const inner = repositoryAt(repo.path('sub'));
  const { outcome } = await commitAttempt(repo, () => {
    inner.commitAll('inside');
    repo.write('sub/inner.txt', 'dirty again\n');
  });
  expect(outcome).toMatchObject({ kind: 'committed', paths: ['sub'] });
  expect(repo.git('rev-parse', 'HEAD:sub')).toBe(inner.git('rev-parse', 'HEAD'));
});

it('leaves flags and intent-to-add entries of the user alone', async () => {
  const repo = makeRepository(FILES);
  repo.write('later.txt', 'x\n');
  repo.git('add', '-N', 'later.txt');
  repo.git('update-index', '--assume-unchanged', 'mine.txt');
  repo.git('update-index', '--skip-worktree', 'b.txt');
  await commitAttempt(repo, () => repo.write('a.txt', 'x\n'));
  expect(repo.git('ls-files', '-v').split('\n')).toEqual([
    'H a.txt',
    'S b.txt',
    'H dir/c.txt',
    'H later.txt',
    'h mine.txt',
  ]);
  expect(repo.git('status', '--porcelain').trim()).toBe('A later.txt');
});

it.each([
  ['as it was', () => undefined, true],
  ['with a file that the user staged meanwhile', (repo: TestRepository) => repo.git('add', 'new.txt'), true],
  [
    'with a commit of the user on top, which nothing is done about',
    (repo: TestRepository) => repo.git('commit', '-q', '--allow-empty', '-m', 'mine', '--only'),
    false,
  ],
])("the user's index follows a commit whose loop was killed: %s", async (_what, meanwhile, follows) => {
  const repo = makeRepository(FILES);
  const index = readFileSync(repo.path('.git/index'));
  const head = repo.git('rev-parse', 'HEAD');
  await commitAttempt(repo, () => {
    repo.write('a.txt', 'changed\n');
    repo.write('new.txt', 'new\n');
  });
  expect(existsSync(repo.path('.git/ralph/commit-pending'))).toBe(false);
  writeFileSync(repo.path('.git/index'), index);
  writeFileSync(repo.path('.git/ralph/commit-pending'), head);
  expect(repo.git('status', '--porcelain')).toContain('D  new.txt');
  meanwhile(repo);
  await (await openTestGit(repo.root)).snapshot();
  expect(repo.git('status', '--porcelain') === '').toBe(follows);
  expect(existsSync(repo.path('.git/ralph/commit-pending'))).toBe(false);
});
