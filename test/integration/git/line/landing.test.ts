/** @module-tag rest */

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processStatus } from 'ralph-kit/programs/table/process-identity';
import { describe, expect, it, vi } from 'vitest';
import type { Line } from '../../../../src/domain/ports.ts';
import type { WorkTree } from '../../../../src/git/call/work-tree.ts';
import { inLandingTurn } from '../../../../src/git/repository/own-change.ts';
import { watchFiles } from '../../../../src/io/watch-files.ts';
import { lineOf, treeWith, verified } from '../../../helpers/line/results.ts';
import { openTestGit } from '../../../helpers/open-test-git.ts';
import { makeRepository, type TestRepository, temporaryFolder } from '../../../helpers/repository.ts';

const TEN = `${[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].join('\n')}\n`;
const GREEN = async () => true;

type Site = { readonly repo: TestRepository; readonly line: Line };

async function site(commits = true): Promise<Site> {
  const repo = makeRepository({
    'a.txt': TEN,
    'b.txt': 'b\n',
    'mine.txt': 'mine\n',
    'gone.txt': 'gone\n',
    '.gitignore': '*.log\n',
  });
  return { repo, line: await lineOf(repo.root, commits) };
}

const firstLine = (text: string) => TEN.replace('1\n', `${text}\n`);
const subjects = ({ repo }: Site, ref = 'HEAD') => repo.git('log', '--format=%s', ref).split('\n');
const statusOf = async ({ line }: Site, taskId: string) =>
  (await line.current())?.results.findLast((one) => one.taskId === taskId)?.status.kind;

/** What you do between the verdict and the landing, and what is dirty then. */
const HARMLESS: readonly (readonly [string, (repo: TestRepository) => void])[] = [
  ['nothing', () => undefined],
  ['an edit of another file', (repo) => repo.write('mine.txt', 'edited\n')],
  // Younger than its index it would be believed unchanged, were that index copied.
  ['an edit of the same length', (repo) => repo.write('mine.txt', 'MINE\n')],
  [
    'another file staged',
    (repo) => {
      repo.write('mine.txt', 'staged\n');
      repo.git('add', 'mine.txt');
    },
  ],
  ['another file deleted', (repo) => repo.remove('gone.txt')],
  ['a new file', (repo) => repo.write('new folder/ü.txt', 'new\n')],
  ['an ignored file', (repo) => repo.write('x.log', 'log\n')],
  ['git gc --prune=now', (repo) => repo.git('gc', '-q', '--prune=now')],
];

describe('a verified result lands where you did no more than', () => {
  it.each(HARMLESS)('%s', async (_what, act) => {
    const one = await site();
    const { repo, line } = one;
    await verified(repo.root, line, 'T-1', {
      'a.txt': firstLine('one'),
      'gone/deep.txt': 'deep\n',
      'b.txt': null,
    });
    act(repo);
    const before = repo.git('status', '--porcelain', '-uall');
    const { landed, waiting } = await line.land(GREEN);
    expect([landed.map(({ taskId }) => taskId), waiting]).toEqual([['T-1'], null]);
    expect(subjects(one)[0]).toBe('Do T-1');
    expect(repo.read('a.txt')).toBe(firstLine('one'));
    expect([repo.read('gone/deep.txt'), repo.exists('b.txt')]).toEqual(['deep\n', false]);
    expect(repo.git('status', '--porcelain', '-uall')).toBe(before);
    expect(repo.git('fsck', '--no-dangling')).toBe('');
    expect((await line.land(GREEN)).landed).toEqual([]);
  });
});

const IN_THE_WAY: readonly (readonly [
  string,
  string,
  (repo: TestRepository) => void,
  (repo: TestRepository) => void,
])[] = [
  [
    'an edit',
    'a.txt',
    (repo) => repo.write('a.txt', `${TEN}mine\n`),
    (repo) => repo.git('checkout', '-q', '--', 'a.txt'),
  ],
  [
    'a staged change',
    'a.txt',
    (repo) => {
      repo.write('a.txt', `${TEN}mine\n`);
      repo.git('add', 'a.txt');
    },
    (repo) => repo.git('reset', '-q', '--hard'),
  ],
  [
    'a deletion',
    'a.txt',
    (repo) => repo.remove('a.txt'),
    (repo) => repo.git('checkout', '-q', '--', 'a.txt'),
  ],
  [
    'an untracked file',
    'new.txt',
    (repo) => repo.write('new.txt', 'mine\n'),
    (repo) => repo.remove('new.txt'),
  ],
  ['an ignored file', 'new.log', (repo) => repo.write('new.log', 'mine\n'), (repo) => repo.remove('new.log')],
  [
    'a folder where a file comes',
    'new.txt',
    (repo) => repo.write('new.txt/inside', 'mine\n'),
    (repo) => repo.remove('new.txt'),
  ],
];

describe('a result waits, and nothing is touched, for', () => {
  it.each(IN_THE_WAY)('%s', async (_what, path, act, undo) => {
    const one = await site();
    const { repo, line } = one;
    await verified(repo.root, line, 'T-1', {
      [path]: path === 'a.txt' ? firstLine('one') : 'theirs\n',
      'c.txt': 'c\n',
    });
    act(repo);
    const before = [repo.git('status', '--porcelain', '-uall', '--ignored'), repo.git('diff', 'HEAD')];
    const { landed, waiting } = await line.land(GREEN);
    expect([landed, waiting?.why]).toEqual([[], 'your_change']);
    expect(waiting?.paths.join()).toContain(path);
    expect([repo.git('status', '--porcelain', '-uall', '--ignored'), repo.git('diff', 'HEAD')]).toEqual(
      before,
    );
    undo(repo);
    expect((await line.land(GREEN)).landed).toMatchObject([{ taskId: 'T-1' }]);
    expect(repo.read('c.txt')).toBe('c\n');
  });

  it('a merge in progress, an index.lock, a branch that is gone', async () => {
    const one = await site();
    const { repo, line } = one;
    await verified(repo.root, line, 'T-1', { 'c.txt': 'c\n' });
    repo.write('.git/index.lock', '');
    expect((await line.land(GREEN)).waiting?.why).toBe('git_works');
    repo.remove('.git/index.lock');
    repo.write('.git/MERGE_HEAD', `${repo.git('rev-parse', 'HEAD')}\n`);
    expect((await line.land(GREEN)).waiting?.why).toBe('operation');
    repo.remove('.git/MERGE_HEAD');
    repo.git('checkout', '-q', '--detach');
    repo.git('branch', '-q', '-D', 'main');
    expect((await line.land(GREEN)).waiting?.why).toBe('no_branch');
    repo.git('branch', 'main');
    repo.git('checkout', '-q', 'main');
    expect((await line.land(GREEN)).landed).toHaveLength(1);
  });

  it('a task that you hold back, with what stands on it', async () => {
    const one = await site();
    const { repo, line } = one;
    for (const id of ['T-1', 'T-2', 'T-3']) await verified(repo.root, line, id, { [`${id}.txt`]: 'x\n' });
    const { landed, waiting } = await line.land(GREEN, (taskId) => taskId === 'T-2');
    expect(landed.map(({ taskId }) => taskId)).toEqual(['T-1']);
    expect(waiting).toMatchObject({ why: 'held', heldBy: 'T-2', reason: 'you hold T-2 back' });
    expect((await line.land(GREEN)).landed.map(({ taskId }) => taskId)).toEqual(['T-2', 'T-3']);
  });

  it('another work tree that shows the branch', async () => {
    const one = await site();
    const { repo, line } = one;
    await verified(repo.root, line, 'T-1', { 'c.txt': 'c\n' });
    repo.git('checkout', '-q', '-b', 'other');
    const linked = join(temporaryFolder(), 'linked');
    repo.git('worktree', 'add', '-q', linked, 'main');
    const { waiting } = await line.land(GREEN);
    expect(waiting?.why).toBe('elsewhere');
    expect(waiting?.reason).toContain('linked');
  });
});

it('where you switched the branch, the branch moves and your tree is not touched', async () => {
  const one = await site();
  const { repo, line } = one;
  await verified(repo.root, line, 'T-1', { 'a.txt': firstLine('one') });
  repo.git('checkout', '-q', '-b', 'other');
  expect((await line.land(GREEN)).landed).toHaveLength(1);
  expect([subjects(one, 'main')[0], subjects(one)[0]]).toEqual(['Do T-1', 'start']);
  expect([repo.read('a.txt'), repo.git('status', '--porcelain')]).toEqual([TEN, '']);
});

it('where HEAD is detached, it moves', async () => {
  const one = await site();
  const { repo } = one;
  repo.git('checkout', '-q', '--detach');
  const line = await lineOf(repo.root);
  await verified(repo.root, line, 'T-1', { 'a.txt': firstLine('one') });
  expect((await line.land(GREEN)).landed).toHaveLength(1);
  expect([subjects(one)[0], subjects(one, 'main')[0]]).toEqual(['Do T-1', 'start']);
});

describe('after a commit of yours', () => {
  it('the line is made anew on it, and its tree passes the gates before it lands', async () => {
    const one = await site();
    const { repo, line } = one;
    await verified(repo.root, line, 'T-1', { 'a.txt': firstLine('one') });
    repo.write('b.txt', 'yours\n');
    repo.git('commit', '-qam', 'yours');
    const asked: string[] = [];
    const { landed } = await line.land(async (tree) => {
      asked.push(repo.git('show', `${tree}:b.txt`));
      return true;
    });
    expect([landed.length, asked]).toEqual([1, ['yours']]);
    expect(subjects(one)).toEqual(['Do T-1', 'yours', 'start']);
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual([firstLine('one'), 'yours\n']);
  });

  it('that conflicts, a result goes back to its task and the next ones land', async () => {
    const one = await site();
    const { repo, line } = one;
    await verified(repo.root, line, 'T-1', { 'a.txt': firstLine('one'), 'f.txt': 'f\n' });
    await verified(repo.root, line, 'T-2', { 'c.txt': 'c\n' });
    await verified(repo.root, line, 'T-3', { 'd.txt': 'd\n' }, { needs: ['T-1'] });
    repo.write('a.txt', firstLine('yours'));
    repo.git('commit', '-qam', 'yours');
    const now = await line.current();
    const kinds = now?.results.map(({ taskId, status }) => [taskId, status.kind]);
    // T-3 said that it needs T-1.
    expect(kinds).toEqual([
      ['T-1', 'conflicting'],
      ['T-2', 'open'],
      ['T-3', 'conflicting'],
    ]);
    const once = await line.land(GREEN);
    expect(once.landed.map(({ taskId }) => taskId)).toEqual(['T-2']);
    expect(once.conflicting).toEqual([{ taskId: 'T-1', number: 1, paths: ['a.txt'] }]);
    // The task's next result takes the place of the one before.
    await verified(repo.root, line, 'T-1', { 'e.txt': 'e\n' });
    expect((await line.land(GREEN)).landed.map(({ taskId }) => taskId)).toEqual(['T-1', 'T-3']);
    expect(repo.read('a.txt')).toBe(firstLine('yours'));
  });

  it('a result that is red on it goes back, and waits where your branch is red without it', async () => {
    const one = await site();
    const { repo, line } = one;
    await verified(repo.root, line, 'T-1', { 'c.txt': 'c\n' });
    await verified(repo.root, line, 'T-2', { 'd.txt': 'd\n' });
    const has = (tree: string, path: string) => repo.git('ls-tree', '--name-only', tree, path) !== '';
    expect((await line.land(async () => false)).waiting?.why).toBe('red');
    const { landed, returned } = await line.land(async (tree) => !has(tree, 'c.txt'));
    expect([landed.map(({ taskId }) => taskId), returned.map(({ taskId }) => taskId)]).toEqual([
      ['T-2'],
      ['T-1'],
    ]);
    expect([repo.exists('c.txt'), repo.exists('d.txt')]).toEqual([false, true]);
  });
});

it('with a git before 2.38 results are joined file by file', async () => {
  const bin = temporaryFolder();
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const old = `#!/bin/sh\nfor one; do [ "$one" != --write-tree ] || exit 129; done\nexec ${real} "$@"\n`;
  writeFileSync(join(bin, 'git'), old, { mode: 0o755 });
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
  const one = await site();
  const { repo, line } = one;
  await verified(repo.root, line, 'T-1', { 'c.txt': 'c\n', 'a.txt': firstLine('one') });
  await verified(repo.root, line, 'T-2', { 'd.txt': 'd\n' });
  repo.write('a.txt', `${TEN}yours\n`);
  repo.git('commit', '-qam', 'yours');
  expect((await line.land(GREEN)).landed.map(({ taskId }) => taskId)).toEqual(['T-2']);
  expect(await statusOf(one, 'T-1')).toBe('conflicting');
  expect(await line.revert(['T-2'])).toMatchObject({ kind: 'reverted', paths: ['d.txt'] });
  vi.unstubAllEnvs();
});

describe('what you take back', () => {
  const TAKEN: readonly (readonly [string, (repo: TestRepository) => void])[] = [
    ['by git revert', (repo) => repo.git('revert', '--no-edit', 'HEAD')],
    ['by git reset --hard', (repo) => repo.git('reset', '-q', '--hard', 'HEAD~1')],
    [
      'by a rebase that drops it',
      (repo) => {
        repo.write('b.txt', 'yours\n');
        repo.git('commit', '-qam', 'yours');
        repo.git('rebase', '-q', '--onto', 'HEAD~2', 'HEAD~1');
      },
    ],
  ];
  it.each(TAKEN)('%s never lands again automatically', async (_how, act) => {
    const one = await site();
    const { repo, line } = one;
    await verified(repo.root, line, 'T-1', { 'c.txt': 'c\n' });
    await line.land(GREEN);
    act(repo);
    expect(await statusOf(one, 'T-1')).toBe('withdrawn');
    await verified(repo.root, line, 'T-2', { 'd.txt': 'd\n' });
    const next = await line.land(GREEN);
    expect(next.landed.map(({ taskId }) => taskId)).toEqual(['T-2']);
    expect(next.withdrawn).toEqual([{ taskId: 'T-1', number: 1 }]);
    expect((await line.land(GREEN)).withdrawn).toEqual([]);
    expect(repo.exists('c.txt')).toBe(false);
    // The result lands once more if you ask for it.
    expect(await line.reopen('T-1')).toBe(true);
    await line.land(GREEN);
    expect(repo.exists('c.txt')).toBe(true);
  });

  const KEPT: readonly (readonly [string, (repo: TestRepository) => void])[] = [
    ['an amended message', (repo) => repo.git('commit', '-q', '--amend', '-m', 'my words')],
    [
      'an amended content',
      (repo) => {
        repo.write('mine.txt', 'amended\n');
        repo.git('commit', '-qa', '--amend', '--no-edit');
      },
    ],
    [
      'a rebase onto a commit of yours',
      (repo) => {
        repo.git('checkout', '-q', '-b', 'side', 'HEAD~1');
        repo.write('side.txt', 'side\n');
        repo.git('add', '-A');
        repo.git('commit', '-qm', 'side');
        repo.git('checkout', '-q', 'main');
        repo.git('rebase', '-q', 'side');
      },
    ],
    [
      'a squash',
      (repo) => {
        repo.write('b.txt', 'yours\n');
        repo.git('commit', '-qam', 'yours');
        repo.git('reset', '-q', '--soft', 'HEAD~2');
        repo.git('commit', '-qm', 'all in one');
      },
    ],
  ];
  it.each(KEPT)('is not %s: that is found again and lands no second time', async (_how, act) => {
    const one = await site();
    const { repo, line } = one;
    await verified(repo.root, line, 'T-1', { 'c.txt': 'c\n' });
    await line.land(GREEN);
    act(repo);
    expect(await statusOf(one, 'T-1')).toBe('landed');
    const before = repo.git('rev-parse', 'HEAD');
    expect(await line.land(GREEN)).toEqual({
      ...{ landed: [], waiting: null, returned: [], conflicting: [], withdrawn: [] },
    });
    expect(repo.git('rev-parse', 'HEAD')).toBe(before);
  });

  it('the trailer of a result that is open: brought by you, or taken out again', async () => {
    const one = await site();
    const { repo, line } = one;
    const { commit } = await verified(repo.root, line, 'T-1', { 'c.txt': 'c\n' });
    repo.write('b.txt', 'yours\n');
    repo.git('commit', '-qam', 'yours');
    repo.git('cherry-pick', commit);
    expect(await statusOf(one, 'T-1')).toBe('landed');
    const other = await verified(repo.root, line, 'T-2', { 'd.txt': 'd\n' });
    repo.git('cherry-pick', other.commit);
    repo.git('revert', '--no-edit', 'HEAD');
    expect(await statusOf(one, 'T-2')).toBe('withdrawn');
    expect((await line.land(GREEN)).landed).toEqual([]);
  });

  it('by ralph, newest first: any of eight tasks, where no later one changed its lines', async () => {
    const one = await site();
    const { repo, line } = one;
    for (let number = 1; number <= 8; number += 1) {
      await verified(repo.root, line, `T-${number}`, { [`t${number}.txt`]: `${number}\n` });
      await line.land(GREEN);
    }
    await verified(repo.root, line, 'T-9', { 't3.txt': 'changed\n' });
    await line.land(GREEN);
    repo.write('mine.txt', 'dirty\n');
    expect(await line.revert(['T-3'])).toMatchObject({ kind: 'waits', waiting: { paths: ['t3.txt'] } });
    expect(await line.revert(['T-2', 'T-7'])).toMatchObject({
      kind: 'reverted',
      results: [{ taskId: 'T-7' }, { taskId: 'T-2' }],
      paths: ['t2.txt', 't7.txt'],
    });
    expect(['t1.txt', 't2.txt', 't7.txt', 't8.txt'].map(repo.exists)).toEqual([true, false, false, true]);
    expect(subjects(one).slice(0, 2)).toEqual(['Revert "Do T-2"', 'Revert "Do T-7"']);
    expect(repo.git('status', '--porcelain')).toBe(' M mine.txt');
    expect([await statusOf(one, 'T-2'), await statusOf(one, 'T-1')]).toEqual(['withdrawn', 'landed']);
    expect((await line.land(GREEN)).landed).toEqual([]);
    // With yours: git's own revert of any other one.
    for (const number of [1, 4, 5, 6, 8])
      repo.git('revert', '--no-edit', repo.git('log', '--format=%H', `--grep=^Do T-${number}$`));
  });
});

it('a dirty file holds one result back, and later ones are made on it', async () => {
  const one = await site();
  const { repo, line } = one;
  await verified(repo.root, line, 'T-1', { 'a.txt': firstLine('one') });
  repo.write('a.txt', `${TEN}mine\n`);
  expect((await line.land(GREEN)).landed).toEqual([]);
  await verified(repo.root, line, 'T-2', { 'a.txt': firstLine('two'), 'c.txt': 'c\n' });
  expect(repo.git('show', `${(await line.current())?.commit}:a.txt`)).toBe(firstLine('two').trimEnd());
  repo.git('checkout', '-q', '--', 'a.txt');
  expect((await line.land(GREEN)).landed.map(({ taskId }) => taskId)).toEqual(['T-1', 'T-2']);
});

it('what hooks refused lands in its place once they no longer do', async () => {
  const { repo, line } = await site();
  const held = 'its commit hooks ended with 1: no';
  await verified(repo.root, line, 'T-1', { 'c.txt': 'c\n' }, { held });
  await verified(repo.root, line, 'T-2', { 'd.txt': 'd\n' }, { held });
  const asked: string[] = [];
  const land = (refused: string) =>
    line.land(GREEN, undefined, async ({ base, tree, message }) => {
      asked.push(message);
      expect(repo.git('diff', '--name-only', base.tree, tree)).toBe(message === 'Do T-1' ? 'c.txt' : 'd.txt');
      return message === refused ? 'no, again' : null;
    });
  expect((await land('Do T-1')).waiting).toMatchObject({ why: 'hook', reason: 'no, again' });
  const { landed, waiting } = await land('Do T-2');
  expect(landed.map(({ taskId }) => taskId)).toEqual(['T-1']);
  expect(waiting).toMatchObject({ why: 'hook', reason: 'no, again' });
  expect(asked).toEqual(['Do T-1', 'Do T-1', 'Do T-2']);
});

it('what a hook refused waits until you land it', async () => {
  const one = await site();
  const { repo, line } = one;
  await verified(repo.root, line, 'T-1', { 'c.txt': 'c\n' }, { held: 'its commit hooks ended with 1: no' });
  const { landed, waiting } = await line.land(GREEN);
  expect([landed, waiting]).toEqual([
    [],
    { why: 'hook', reason: 'its commit hooks ended with 1: no', paths: [] },
  ]);
  await line.reopen('T-1');
  expect((await line.land(GREEN)).landed).toHaveLength(1);
});

it('commits are signed where yours are', async () => {
  const folder = temporaryFolder();
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key')]);
  const { repo } = await site();
  repo.git('config', 'gpg.format', 'ssh');
  repo.git('config', 'user.signingKey', join(folder, 'key.pub'));
  repo.git('config', 'commit.gpgSign', 'true');
  const line = await lineOf(repo.root);
  await verified(repo.root, line, 'T-1', { 'c.txt': 'c\n' });
  await verified(repo.root, line, 'T-2', { 'd.txt': 'd\n' });
  expect((await line.land(GREEN)).landed).toHaveLength(2);
  for (const commit of ['HEAD', 'HEAD~1'])
    expect(repo.git('cat-file', 'commit', commit)).toContain('BEGIN SSH SIGNATURE');
});

describe('commit = "never"', () => {
  it('leaves what is verified in your tree, uncommitted, and later ones on top of it', async () => {
    const one = await site(false);
    const { repo, line } = one;
    await verified(repo.root, line, 'T-1', { 'a.txt': firstLine('one'), 'new.txt': 'new\n' });
    await line.land(GREEN);
    await verified(repo.root, line, 'T-2', { 'a.txt': firstLine('two') });
    await line.land(GREEN);
    expect([repo.read('a.txt'), repo.read('new.txt')]).toEqual([firstLine('two'), 'new\n']);
    expect(subjects(one)).toEqual(['start']);
    expect(repo.git('status', '--porcelain')).toBe(' M a.txt\n?? new.txt');
  });

  it('needs no identity for commits', async () => {
    const one = await site(false);
    const { repo } = one;
    for (const key of ['user.name', 'user.email']) repo.git('config', key, '');
    const line = await lineOf(repo.root, false);
    await verified(repo.root, line, 'T-1', { 'c.txt': 'c\n' });
    expect((await line.land(GREEN)).landed).toHaveLength(1);
  });

  it('sees that you committed it, in parts, too', async () => {
    const one = await site(false);
    const { repo, line } = one;
    await verified(repo.root, line, 'T-1', { 'a.txt': firstLine('one'), 'c.txt': 'c\n' });
    await line.land(GREEN);
    repo.git('commit', '-qm', 'a part', 'a.txt');
    expect(await statusOf(one, 'T-1')).toBe('landed');
    repo.git('add', 'c.txt');
    repo.git('commit', '-qm', 'the rest');
    expect(await statusOf(one, 'T-1')).toBe('landed');
    await verified(repo.root, line, 'T-2', { 'd.txt': 'd\n' });
    await line.land(GREEN);
    expect(repo.git('status', '--porcelain')).toBe('?? d.txt');
  });

  it('takes what you took out for withdrawn', async () => {
    const one = await site(false);
    const { repo, line } = one;
    await verified(repo.root, line, 'T-1', { 'a.txt': firstLine('one') });
    await line.land(GREEN);
    repo.git('checkout', '-q', '--', 'a.txt');
    expect(await statusOf(one, 'T-1')).toBe('withdrawn');
    await verified(repo.root, line, 'T-2', { 'c.txt': 'c\n' });
    await line.land(GREEN);
    expect([repo.read('a.txt'), repo.read('c.txt')]).toEqual([TEN, 'c\n']);
  });

  it('writes nothing while it lies in your stash', async () => {
    const one = await site(false);
    const { repo, line } = one;
    await verified(repo.root, line, 'T-1', { 'a.txt': firstLine('one') });
    await line.land(GREEN);
    repo.git('stash', '-q');
    await verified(repo.root, line, 'T-2', { 'c.txt': 'c\n' });
    expect((await line.land(GREEN)).waiting?.why).toBe('stash');
    repo.git('stash', 'pop', '-q');
    expect((await line.land(GREEN)).landed.map(({ taskId }) => taskId)).toEqual(['T-2']);
    expect([repo.read('a.txt'), repo.read('c.txt')]).toEqual([firstLine('one'), 'c\n']);
  });

  it('leaves a file alone that you edited on', async () => {
    const one = await site(false);
    const { repo, line } = one;
    await verified(repo.root, line, 'T-1', { 'a.txt': firstLine('one') });
    await line.land(GREEN);
    repo.write('a.txt', `${firstLine('one')}mine\n`);
    await verified(repo.root, line, 'T-2', { 'a.txt': firstLine('two') });
    expect((await line.land(GREEN)).waiting?.paths).toEqual(['a.txt']);
    expect(repo.read('a.txt')).toBe(`${firstLine('one')}mine\n`);
  });
});

it('the pointer of a submodule lands, and no file in it is written', async () => {
  const one = await site();
  const { repo, line } = one;
  const inner = makeRepository({ 'x.txt': 'x\n' });
  repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'sub');
  repo.git('commit', '-qm', 'sub');
  const now = await line.current();
  const index = join(temporaryFolder(), 'index');
  const env = { GIT_INDEX_FILE: index };
  mkdirSync(join(index, '..'), { recursive: true });
  const { runTestGit } = await import('../../../helpers/repository.ts');
  runTestGit(repo.root, ['read-tree', now?.commit ?? ''], env);
  runTestGit(repo.root, ['update-index', '--cacheinfo', `160000,${'1'.repeat(40)},sub`], env);
  const tree = runTestGit(repo.root, ['write-tree'], env);
  const id = await line.prepare({
    ...{ taskId: 'T-1', parent: now?.commit ?? '', tree, message: 'x', needs: [], refusalReason: null },
  });
  await line.keep(id);
  expect((await line.land(GREEN)).landed).toHaveLength(1);
  expect(repo.git('rev-parse', 'HEAD:sub')).toBe('1'.repeat(40));
  expect(repo.read('sub/x.txt')).toBe('x\n');
});

describe('a result that was made ready by a process that is gone', () => {
  it('is kept where the verdict on it is on record, and dropped where not', async () => {
    const one = await site();
    const { repo, line } = one;
    const now = await line.current();
    const ready = (taskId: string, refusalReason: string | null) => {
      const tree = treeWith(repo.root, 'HEAD', { [`${taskId}.txt`]: `${taskId}\n` });
      const result = { taskId, parent: now?.commit ?? '', tree, message: taskId, needs: [], refusalReason };
      return line.prepare(result);
    };
    await ready('T-1', null);
    await ready('T-2', null);
    await ready('T-3', 'a hook said no');
    expect((await line.current())?.results).toEqual([]);
    repo.git('gc', '-q', '--prune=now');
    await (await lineOf(repo.root)).keepPrepared((taskId) => taskId !== 'T-2');
    await line.land(GREEN);
    expect([await statusOf(one, 'T-1'), await statusOf(one, 'T-3')]).toEqual(['landed', 'open']);
    expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/ralph/held')).toBe('refs/ralph/held/T-3/1');
    expect(repo.git('for-each-ref', 'refs/ralph/prepared')).toBe('');
    expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/ralph/about').split('\n')).toEqual([
      'refs/ralph/about/T-1/1',
      'refs/ralph/about/T-3/1',
    ]);
    // Once the result was dropped, its number is free again.
    expect((await ready('T-2', null)).number).toBe(1);
  });
});

it('merges leave no commits behind: the sides of each are gone with it', async () => {
  const { repo, line } = await site();
  const start = repo.git('rev-parse', 'HEAD');
  await verified(repo.root, line, 'T-1', { 'c.txt': 'c\n' });
  await line.land(GREEN);
  for (const text of ['one', 'two', 'three'])
    await line.join({ parent: start, tree: treeWith(repo.root, start, { 'a.txt': firstLine(text) }) });
  repo.git('commit', '-q', '--allow-empty', '-m', 'yours');
  await verified(repo.root, line, 'T-2', { 'd.txt': 'd\n' });
  await line.land(GREEN);
  expect(repo.git('fsck', '--unreachable', '--no-reflogs')).not.toContain('commit');
});

it('reading a branch that moved by your commits leaves nothing behind, however much has landed', async () => {
  const { repo, line } = await site();
  await verified(repo.root, line, 'T-0', { 'a.txt': firstLine('one') });
  for (const at of [1, 2, 3]) await verified(repo.root, line, `T-${at}`, { [`new/${at}.txt`]: 'new\n' });
  await line.land(GREEN);
  const nameless = () => repo.git('fsck', '--unreachable', '--no-reflogs').split('\n').sort();
  const before = nameless();
  for (const [path, text] of [
    ['mine.txt', 'yours\n'],
    ['a.txt', `${firstLine('one')}yours\n`],
    ['new/1.txt', 'new, and yours\n'],
  ] as const) {
    repo.write(path, text);
    repo.git('commit', '-q', '-a', '-m', 'yours');
    expect((await line.current())?.results.map(({ status }) => status.kind)).toEqual(Array(4).fill('landed'));
    expect(nameless()).toEqual(before);
  }
});

it('reading the line while a landing is under way leaves it alone, and so does a commit of marks', async () => {
  const { repo, line } = await site();
  const git = await openTestGit(repo.root);
  for (let round = 1; round <= 3; round += 1) {
    await verified(repo.root, line, `T-${round}`, { [`new-${round}.txt`]: `${round}\n` });
    let isOver = false;
    const landing = line.land(GREEN).finally(() => {
      isOver = true;
    });
    const looks = async () => {
      while (!isOver) await line.current();
    };
    const edit = async (text: string) => `${text}${round}\n`;
    const marks = git.commitEdits(null, [{ path: 'b.txt', edit }], 'Mark what is done');
    const [{ landed, waiting }] = await Promise.all([landing, looks(), looks(), marks]);
    expect([landed.map(({ taskId }) => taskId), waiting]).toEqual([[`T-${round}`], null]);
    expect(repo.read(`new-${round}.txt`)).toBe(`${round}\n`);
    expect(await marks).not.toBeNull();
  }
  expect(repo.git('show', 'HEAD:b.txt')).toBe('b\n1\n2\n3');
});

it('a landing waits for what its own process changes in the index', async () => {
  const [{ repo, line }, elsewhere] = [await site(), await site()];
  for (const one of [{ repo, line }, elsewhere])
    await verified(one.repo.root, one.line, 'T-1', { 'new.txt': 'new\n' });
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  const landing = line.land(GREEN);
  // Behind the first look of the landing.
  const marks = inLandingTurn({ gitDir: repo.path('.git') } as WorkTree, async () => {
    repo.write('.git/index.lock', 'ralph');
    await promise;
    rmSync(repo.path('.git/index.lock'));
  });
  // As long as that takes there.
  await elsewhere.line.land(GREEN);
  resolve();
  await marks;
  const { landed, waiting } = await landing;
  expect([landed.map(({ taskId }) => taskId), waiting]).toEqual([['T-1'], null]);
});

it("landings and marks of this process aren't a change from outside, and what you change meanwhile is", async () => {
  const { repo, line } = await site();
  const git = await openTestGit(repo.root);
  const [changed, files, missed] = [
    await git.watch(),
    watchFiles(repo.root, [repo.path('AGENTS.md')]),
    await git.watch(),
  ];
  await verified(repo.root, line, 'T-1', { 'AGENTS.md': 'Be brief.\n', 'new.txt': 'new\n' });
  await line.land(GREEN);
  await git.commitEdits(null, [{ path: 'b.txt', edit: async (text) => `${text}x\n` }], 'Mark what is done');
  expect([await changed(), files()]).toEqual([{ git: [], commits: [] }, []]);
  repo.git('branch', 'yours');
  const edited = watchFiles(repo.root, [repo.path('AGENTS.md')]);
  repo.write('AGENTS.md', 'Be long.\n');
  repo.git('commit', '-qam', 'yours');
  await verified(repo.root, line, 'T-2', { 'other.txt': 'other\n' });
  await line.land(GREEN);
  const { git: names, commits } = await missed();
  expect(names).toEqual(['HEAD', 'refs/heads/main', 'the index', 'refs/heads/yours']);
  expect(commits.map(({ subject }) => subject)).toContain('yours');
  expect(edited()).toEqual([{ kind: 'tracker', path: 'AGENTS.md', change: 'modified' }]);
});

it('a look waits for a landing of its own process, and leaves one of another process alone while that lives', async () => {
  const { repo, line } = await site();
  const order: string[] = [];
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  const gitDir = repo.path('.git');
  const held = inLandingTurn({ gitDir } as WorkTree, async () => {
    await promise;
    order.push('landed');
  });
  const look = line.current().then(() => order.push('looked'));
  // As long as that takes elsewhere.
  await (await site()).line.current();
  resolve();
  await Promise.all([held, look]);
  expect(order).toEqual(['landed', 'looked']);

  const other = spawn('sleep', ['600']);
  const status = processStatus(other.pid ?? 0);
  const tip = repo.git('rev-parse', 'HEAD');
  const plan = {
    ...{ id: `${other.pid}-1`, by: status.kind === 'alive' ? status.startTime : null, updates: [] },
    ...{ ref: 'refs/heads/main', from: tip, to: tip, isHere: true, withIndex: true, files: [] },
  };
  repo.write('.git/ralph/landing/plan.json', JSON.stringify(plan));
  repo.write('.git/index.lock', `ralph ${plan.id}`);
  await line.current();
  expect([repo.exists('.git/index.lock'), repo.exists('.git/ralph/landing/plan.json')]).toEqual([true, true]);
  const gone = new Promise((done) => other.once('exit', done));
  other.kill('SIGKILL');
  await gone;
  await line.current();
  expect([repo.exists('.git/index.lock'), repo.exists('.git/ralph/landing/plan.json')]).toEqual([
    false,
    false,
  ]);
});
