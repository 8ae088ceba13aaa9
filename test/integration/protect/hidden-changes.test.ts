import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openGit } from '../../../src/io/git/index.ts';
import { indexFlags } from '../../../src/io/git/protect/index-flags.ts';
import { makeRepository, type TestRepository, temporaryFolder } from '../../helpers/repository.ts';

let repo: TestRepository;
/** Restores what an attempt changed, with the paths that it names. */
let restored: (attempt: () => void) => Promise<string[]>;

beforeEach(async () => {
  repo = makeRepository({ 'a.txt': 'a\n', 'folder/b.txt': 'b\n', 'folder/c.txt': 'c\n' });
  repo.write('a.txt', 'second\n');
  repo.commitAll('second');
  const opened = await openGit({ root: repo.root });
  if (!opened.ok) throw new Error(opened.message);
  const guard = opened.protection(join(temporaryFolder(), 'home'));
  restored = async (attempt) => {
    const before = await guard.capture();
    attempt();
    const place = { setAside: join(temporaryFolder(), 'aside'), shownAs: 'aside', keepUnder: 'r-1/1' };
    const found = await guard.restore(before, place);
    return found.map(({ path }) => path);
  };
});

describe.each(['2', '4'])('the flags of an index of version %s', (version) => {
  const flags = () => indexFlags(readFileSync(repo.path('.git/index')));

  it('are as git says', () => {
    repo.git('update-index', '--index-version', version);
    expect(flags()).toEqual({ assumed: new Set(), skipped: new Set() });
    repo.git('update-index', '--assume-unchanged', 'folder/b.txt');
    repo.git('update-index', '--skip-worktree', 'folder/c.txt', 'a.txt');
    expect(flags()).toEqual({
      assumed: new Set(['folder/b.txt']),
      skipped: new Set(['a.txt', 'folder/c.txt']),
    });
  });

  it('come back as they were, beside what was staged', async () => {
    repo.git('update-index', '--index-version', version, '--skip-worktree', 'a.txt');
    const named = await restored(() => {
      repo.git('update-index', '--no-skip-worktree', 'a.txt');
      repo.git('update-index', '--assume-unchanged', 'folder/b.txt');
      repo.write('new.txt', 'new\n');
      repo.git('add', 'new.txt');
    });
    expect(named).toEqual(['.git/index']);
    expect(repo.git('ls-files', '-v')).toBe('S a.txt\nH folder/b.txt\nH folder/c.txt\nH new.txt');
  });
});

it('an index of another format has no flags that are known', () => {
  expect(indexFlags(Buffer.from('DIRC\0\0\0\x02\0\0\0\x09'))).toBeNull();
  expect(indexFlags(Buffer.from('no index'))).toBeNull();
});

it('an index that is gone comes back with what was staged', async () => {
  repo.write('a.txt', 'staged\n');
  repo.git('add', 'a.txt');
  repo.write('a.txt', 'work tree\n');
  expect(await restored(() => repo.remove('.git/index'))).toEqual(['.git/index']);
  expect(repo.git('show', ':a.txt')).toBe('staged');
});

it('staging alone is no change', async () => {
  const stage = () => {
    repo.write('a.txt', 'third\n');
    repo.git('add', 'a.txt');
  };
  expect(await restored(stage)).toEqual([]);
});

describe('history that a file hides', () => {
  it('comes back', async () => {
    const hide = () => repo.write('.git/shallow', `${repo.git('rev-parse', 'HEAD')}\n`);
    expect(await restored(hide)).toEqual(['.git/shallow']);
    expect(repo.git('log', '--format=%s')).toBe('second\nstart');
  });

  it('stays cut where it isn’t here', async () => {
    const other = makeRepository({ 'x.txt': 'x\n' });
    other.write('x.txt', 'y\n');
    other.commitAll('later');
    const fetch = () => repo.git('fetch', '-q', '--depth=1', `file://${other.root}`, 'main:theirs');
    expect(await restored(fetch)).toEqual([]);
    expect(repo.git('log', '--format=%s', 'theirs')).toBe('later');
  });
});

it('a replacement of an object goes, and what it showed stays reachable', async () => {
  repo.write('lie.txt', 'lies\n');
  const lie = repo.git('hash-object', '-w', 'lie.txt');
  const named = await restored(() => repo.git('replace', repo.git('rev-parse', 'HEAD:a.txt'), lie));
  expect(named).toHaveLength(1);
  expect(repo.git('show', 'HEAD:a.txt')).toBe('second');
  expect(repo.git('for-each-ref', '--format=%(objectname)', 'refs/ralph/kept')).toBe(lie);
});

it('folders that were shut open again', async () => {
  repo.git('branch', 'dev', 'HEAD~1');
  const dev = repo.git('rev-parse', 'dev');
  const shut = ['.git/refs/heads', '.git/refs', '.git/logs'];
  await restored(() => {
    repo.git('branch', '-f', 'dev', 'HEAD');
    for (const folder of shut) chmodSync(repo.path(folder), 0o555);
  });
  expect(repo.git('rev-parse', 'dev')).toBe(dev);
  for (const folder of shut) expect(statSync(repo.path(folder)).mode & 0o700).toBe(0o700);
});

describe('where HEAD is put back, nothing but what you or the agent staged is staged', () => {
  beforeEach(() => {
    repo.git('branch', 'dev');
    repo.write('a.txt', 'second\n');
    repo.write('second.txt', 'second\n');
    repo.git('rm', '-q', 'folder/b.txt');
    repo.commitAll('second');
    repo.write('mine.txt', 'mine\n');
    repo.git('rm', '-q', '--cached', 'folder/c.txt');
    repo.git('add', 'mine.txt');
  });
  const yours = ['D\tfolder/c.txt', 'A\tmine.txt'];
  const staged = () => repo.git('diff', '--cached', '--no-renames', '--name-status').split('\n');

  it.each<readonly [string, readonly (readonly string[])[], readonly string[]]>([
    ['a reset of all', [['reset', '-q', '--hard', 'HEAD~1']], yours],
    ['a reset of the index', [['reset', '-q', 'HEAD~1']], yours],
    ['a reset of HEAD alone', [['reset', '-q', '--soft', 'HEAD~1']], yours],
    ['another branch', [['checkout', '-q', '-f', 'dev']], yours],
    ['no branch', [['checkout', '-q', '-f', '--detach', 'dev']], yours],
    [
      'a branch without a commit',
      [
        ['checkout', '-q', '--orphan', 'new'],
        ['rm', '-rq', '--cached', '.'],
      ],
      yours,
    ],
    ['a branch that is gone', [['update-ref', '-d', 'refs/heads/main']], yours],
    [
      'a commit beside yours',
      [
        ['reset', '-q', '--hard', 'HEAD~1'],
        ['commit', '-q', '--allow-empty', '-m', 'other'],
      ],
      yours,
    ],
    [
      'a reset and something staged',
      [
        ['reset', '-q', '--hard', 'HEAD~1'],
        ['mv', 'a.txt', 'moved.txt'],
      ],
      ['D\ta.txt', 'D\tfolder/c.txt', 'A\tmine.txt', 'A\tmoved.txt'],
    ],
  ])('%s', async (_, commands, expected) => {
    await restored(() => {
      for (const command of commands) repo.git(...command);
    });
    expect(staged()).toEqual(expected);
    expect(repo.git('log', '-1', '--format=%s')).toBe('second');
    expect(repo.git('show', ':mine.txt')).toBe('mine');
  });
});
