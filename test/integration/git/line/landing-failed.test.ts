import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { lineOf, verified } from '../../../helpers/line/results.ts';
import { makeRepository, type TestRepository, temporaryFolder } from '../../../helpers/repository.ts';

afterEach(() => vi.unstubAllEnvs());

/** Which git a call means: its command, and the index that it works on. */
const FAILS: readonly (readonly [what: string, when: string])[] = [
  ['making the new files ready', 'case $* in *checkout-index*) fail ;; esac'],
  ['reading the new tree', 'case $* in *read-tree*) fail ;; esac'],
  ['looking what is in the way', 'case $*-$(ls "$GIT_DIR/index.lock") in *diff-files*-*lock) fail ;; esac'],
  ['writing the index', 'case $GIT_INDEX_FILE-$* in *users-index*index-info*) fail ;; esac'],
  ['refreshing the index', 'case $GIT_INDEX_FILE-$* in *users-index*--refresh*) fail ;; esac'],
  [
    'moving the branch',
    'case $* in *update-ref*) in=$(cat); case $in in *landed/*) fail ;; *) echo "$in" | git "$@"; exit ;; esac; esac',
  ],
  ['a git that is killed', 'case $GIT_INDEX_FILE-$* in *users-index*--refresh*) kill -9 $$ ;; esac'],
];

/** Puts a git first in PATH that fails in certain calls and else does as git. */
function failingGit(when: string): void {
  const folder = temporaryFolder();
  const text = `#!/bin/sh
PATH='${process.env.PATH}'
fail() { echo "fatal: No space left on device" >&2; exit 128; }
${when}
exec git "$@"
`;
  writeFileSync(join(folder, 'git'), text, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
}

function siteOf() {
  const repo = makeRepository({
    'a.txt': 'one\n',
    'gone.txt': 'gone\n',
    'folder/b.txt': 'b\n',
    'turns/file': 'a file\n',
    'mine.txt': 'mine\n',
  });
  repo.write('mine.txt', 'staged\n');
  repo.git('add', 'mine.txt');
  repo.write('mine.txt', 'edited\n');
  return repo;
}

const RESULT = {
  'a.txt': 'two\n',
  'gone.txt': null,
  'folder/b.txt': null,
  folder: 'now a file\n',
  'turns/file': null,
  'turns/file/deep.txt': 'now a folder\n',
  'new/c.txt': 'c\n',
};

/** Returns everything of yours that a landing changes. */
function yours(repo: TestRepository) {
  return {
    head: repo.git('rev-parse', 'HEAD'),
    index: repo.git('ls-files', '--stage'),
    status: repo.git('status', '--porcelain', '-uall'),
    files: ['a.txt', 'gone.txt', 'folder/b.txt', 'turns/file', 'mine.txt'].map((name) =>
      repo.exists(name) ? readFileSync(repo.path(name), 'utf8') : null,
    ),
    left: ['new', '.git/index.lock', '.git/ralph/landing', '.git/ralph/users-index'].filter(repo.exists),
  };
}

describe('a landing that fails leaves branch, index and files as they were', () => {
  it.each(FAILS)('%s', async (_what, when) => {
    const repo = siteOf();
    // With these attributes, git writes all files itself.
    repo.write('.git/info/attributes', '*.bin -text\n');
    const line = await lineOf(repo.root);
    await verified(repo.root, line, 'T-1', RESULT);
    const before = yours(repo);
    failingGit(when);
    const { landed, waiting } = await line.land(async () => true);
    vi.unstubAllEnvs();
    expect(landed).toEqual([]);
    expect(waiting).toMatchObject({ why: 'failed', paths: [] });
    expect(waiting?.reason).toMatch(
      /^landing it failed, and your branch, index and files are as they were: git \S+ ended with (?:128: fatal: No space left on device|SIGKILL: no message)$/,
    );
    const { left, ...now } = yours(repo);
    expect(now).toEqual({
      head: before.head,
      index: before.index,
      status: before.status,
      files: before.files,
    });
    expect(left.filter((name) => name !== '.git/ralph/landing')).toEqual([]);
    expect((await line.land(async () => true)).landed).toHaveLength(1);
    expect([repo.read('folder'), repo.read('turns/file/deep.txt'), repo.read('a.txt')]).toEqual([
      'now a file\n',
      'now a folder\n',
      'two\n',
    ]);
    expect(repo.exists('gone.txt')).toBe(false);
    expect(repo.git('status', '--porcelain', '-uall')).toBe('MM mine.txt');
  });

  it('but not where the branch has moved: a git that is ended behind its work', async () => {
    const repo = siteOf();
    const line = await lineOf(repo.root);
    await verified(repo.root, line, 'T-1', RESULT);
    failingGit(
      `case $* in *update-ref*) in=$(cat); case $in in *landed/*) echo "$in" | git "$@"; kill -9 $$ ;; *) echo "$in" | exec git "$@" ;; esac; esac`,
    );
    expect((await line.land(async () => true)).landed).toHaveLength(1);
    vi.unstubAllEnvs();
    expect(repo.git('log', '-1', '--format=%s')).toBe('Do T-1');
    expect(repo.git('status', '--porcelain', '-uall')).toBe('MM mine.txt');
  });
});
