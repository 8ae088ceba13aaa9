/** @module-tag slow */

import { createHash } from 'node:crypto';
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BytePath, bytePath } from '../../../src/git/call/git-path.ts';
import { recentFiles, rewrittenSince } from '../../../src/git/snapshot/snapshot.ts';
import { openTestGit } from '../../helpers/open-test-git.ts';
import {
  coldTree,
  makeRepository,
  repositoryAt,
  runTestGit,
  type TestRepository,
  temporaryFolder,
} from '../../helpers/repository.ts';

/** No process has this id: it is above what the system gives out. */
const GONE = 2 ** 22 + 1;

function privateIndex(gitDir: string): string {
  const [name, ...more] = readdirSync(join(gitDir, 'ralph')).filter((file) =>
    /^snapshot-\d+-\d+$/.test(file),
  );
  expect(more).toEqual([]);
  return join(gitDir, 'ralph', name ?? 'none', 'index');
}

it('leaves index, stash, settings and files of the user as they are', async () => {
  const repo = makeRepository({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
  repo.write('b.txt', 'stashed\n');
  repo.git('stash', '-q');
  repo.write('a.txt', 'staged\n');
  repo.git('add', 'a.txt');
  repo.write('a.txt', 'later\n');
  repo.write('new.txt', 'new\n');
  const look = () => ({
    index: repo.read('.git/index'),
    stash: repo.git('stash', 'list'),
    config: repo.read('.git/config'),
    exclude: repo.read('.git/info/exclude'),
    status: repo.git('status', '--porcelain'),
    times: ['a.txt', 'b.txt', 'new.txt'].map((name) => lstatSync(repo.path(name)).mtimeMs),
  });
  const before = look();
  // `git status` itself refreshes the user's index, so the bytes are read first.
  const bytes = repo.read('.git/index');
  const git = await openTestGit(repo.root);
  const one = await git.snapshot();
  await git.checkpoint('r-1', 1, one);
  await git.diff(one, await git.snapshot());
  await git.dirtyPaths(one);
  expect(repo.read('.git/index')).toBe(bytes);
  expect(look()).toEqual(before);
});

it('does not believe a private index that someone wrote into', async () => {
  const repo = makeRepository({ 'a.txt': 'one\n' });
  const git = await openTestGit(repo.root);
  const before = await git.snapshot();
  const env = { GIT_INDEX_FILE: privateIndex(repo.path('.git')) };
  runTestGit(repo.root, ['update-index', '--skip-worktree', 'a.txt'], env);
  repo.remove('a.txt');
  const after = await git.snapshot();
  expect(after.tree).not.toBe(before.tree);
  expect(after.tree).toBe(coldTree(repo.root));
});

it('does not believe a private excludes file that someone wrote into', async () => {
  const repo = makeRepository({ 'a.txt': 'one\n' });
  const git = await openTestGit(repo.root);
  await git.snapshot();
  const folder = dirname(privateIndex(repo.path('.git')));
  for (const name of ['excludes', 'info-excludes']) writeFileSync(join(folder, name), 'hidden.txt\n');
  repo.write('hidden.txt', 'x\n');
  expect((await git.snapshot()).tree).toBe(coldTree(repo.root));
});

it('the private index never looks younger than the reading, however late it was written', async () => {
  const repo = makeRepository({ 'a.txt': 'one\n' });
  const git = await openTestGit(repo.root);
  for (const content of ['x\n', 'y\n']) {
    repo.write('new.txt', content);
    await git.snapshot();
    // Whole seconds: git compares those, and a folder changed within that second is read again.
    const { mtimeMs } = lstatSync(privateIndex(repo.path('.git')));
    expect(mtimeMs % 1000).toBe(0);
  }
});

it('notes files changed in this moment, and reports when they were written again', () => {
  const repo = makeRepository({ 'a.txt': 'one\n' });
  const tree = {
    top: repo.root,
    gitDir: repo.path('.git'),
    commonDir: repo.path('.git'),
    ownFolder: null,
    view: null,
  };
  const paths = ['a.txt', 'b.txt', 'absent'].map((name) => bytePath(Buffer.from(name)));
  repo.write('b.txt', 'x\n');
  repo.write('a.txt', 'one\n');
  const recent = recentFiles(tree, paths);
  expect([...recent.keys()]).toEqual(['a.txt', 'b.txt']);
  expect(rewrittenSince(tree, recent)).toEqual([]);
  repo.remove('b.txt');
  const [path] = paths as [BytePath];
  const { ctimeMs } = lstatSync(repo.path('a.txt'));
  const sameSecond = Math.floor(ctimeMs / 1000) * 1000 + (ctimeMs % 1000 > 500 ? 1 : 999);
  expect(rewrittenSince(tree, new Map([...recent, [path, sameSecond]]))).toEqual(['a.txt']);
  // Git distinguishes whole seconds without help.
  expect(rewrittenSince(tree, new Map([...recent, [path, ctimeMs - 1000]]))).toEqual([]);
});

it('starts anew when its folder is gone or its index is damaged', async () => {
  const repo = makeRepository({ 'a.txt': 'one\n' });
  const git = await openTestGit(repo.root);
  await git.snapshot();
  rmSync(repo.path('.git/ralph'), { recursive: true });
  repo.write('b.txt', 'x\n');
  expect((await git.snapshot()).tree).toBe(coldTree(repo.root));
  writeFileSync(privateIndex(repo.path('.git')), 'damaged');
  repo.write('b.txt', 'y\n');
  expect((await git.snapshot()).tree).toBe(coldTree(repo.root));
});

it('a damaged index of the user does not matter', async () => {
  const repo = makeRepository({ 'a.txt': 'one\n' });
  writeFileSync(repo.path('.git/index'), 'damaged');
  const { tree } = await (await openTestGit(repo.root)).snapshot();
  expect(tree).toBe(repo.git('rev-parse', 'HEAD^{tree}'));
});

it('takes over what a crashed process left, its lock included, and removes the rest', async () => {
  const repo = makeRepository({ 'a.txt': 'one\n' });
  repo.write('new.txt', 'x\n');
  await (await openTestGit(repo.root)).snapshot();
  const folder = repo.path('.git/ralph');
  const [left, older] = [`snapshot-${GONE}-1`, `snapshot-${GONE}-2`].map((name) => join(folder, name));
  renameSync(dirname(privateIndex(repo.path('.git'))), left ?? '');
  writeFileSync(join(left ?? '', 'index.lock'), '');
  mkdirSync(older ?? '');
  writeFileSync(join(older ?? '', 'index'), '');
  utimesSync(join(older ?? '', 'index'), 1, 1);
  repo.write('a.txt', 'two\n');
  const { tree } = await (await openTestGit(repo.root)).snapshot();
  expect(tree).toBe(coldTree(repo.root));
  expect(readdirSync(folder).filter((name) => name.includes(String(GONE)))).toEqual([]);
});

it('leaves alone what a living process holds', async () => {
  const repo = makeRepository({ 'a.txt': 'one\n' });
  const others = repo.path(`.git/ralph/snapshot-${process.ppid}-1/index`);
  mkdirSync(dirname(others), { recursive: true });
  writeFileSync(others, 'theirs');
  writeFileSync(`${others}.lock`, 'theirs');
  const { tree } = await (await openTestGit(repo.root)).snapshot();
  expect(tree).toBe(coldTree(repo.root));
  expect(lstatSync(others).size + lstatSync(`${others}.lock`).size).toBe(12);
});

it('drops untracked files that became ignored before this run', async () => {
  const repo = makeRepository({ 'a.txt': 'one\n' });
  repo.write('build/out.js', 'x\n');
  await (await openTestGit(repo.root)).snapshot();
  renameSync(dirname(privateIndex(repo.path('.git'))), repo.path(`.git/ralph/snapshot-${GONE}-1`));
  repo.write('.gitignore', 'build/\n');
  const { tree } = await (await openTestGit(repo.root)).snapshot();
  expect(tree).toBe(coldTree(repo.root));
});

it('several can read at once', async () => {
  const repo = makeRepository({ 'a.txt': 'one\n' });
  repo.write('b.txt', 'x\n');
  const ports = await Promise.all([1, 2, 3].map(() => openTestGit(repo.root)));
  const trees = await Promise.all([...ports, ...ports].map(async (git) => (await git.snapshot()).tree));
  expect(new Set(trees)).toEqual(new Set([coldTree(repo.root)]));
});

it('survives git gc --prune=now between two snapshots', async () => {
  const repo = makeRepository({ 'a.txt': 'one\n' });
  repo.write('untracked.txt', 'only in snapshots\n');
  repo.write('a.txt', 'dirty\n');
  const git = await openTestGit(repo.root);
  const before = await git.snapshot();
  await git.checkpoint('r', 1, before);
  repo.write('a.txt', 'dirtier\n');
  repo.git('gc', '-q', '--prune=now');
  const after = await git.snapshot();
  const { changes } = await git.diff(before, after);
  expect(changes.map(({ path, linesAdded }) => [path, linesAdded])).toEqual([['a.txt', 1]]);
});

it('stores again what git pruned', async () => {
  const repo = makeRepository({ 'a.txt': 'one\n' });
  repo.write('untracked.txt', 'only in snapshots\n');
  const git = await openTestGit(repo.root);
  await git.snapshot();
  repo.git('gc', '-q', '--prune=now');
  const same = await git.snapshot();
  expect(repo.git('cat-file', '-p', `${same.tree}:untracked.txt`)).toBe('only in snapshots');
  repo.git('gc', '-q', '--prune=now');
  repo.write('a.txt', 'two\n');
  const { tree } = await git.snapshot();
  expect(repo.git('cat-file', '-p', `${tree}:untracked.txt`)).toBe('only in snapshots');
});

it("a checkpoint outlives git gc --prune=now, isn't signed, and holds HEAD", async () => {
  const repo = makeRepository({ 'a.txt': 'one\n' });
  repo.git('config', 'commit.gpgSign', 'true');
  repo.write('untracked.txt', 'kept\n');
  const git = await openTestGit(repo.root);
  const snapshot = await git.snapshot();
  await git.checkpoint('r-20260101-000000-abcd', 7, snapshot);
  repo.remove('untracked.txt');
  await git.snapshot();
  repo.git('gc', '-q', '--prune=now');
  const ref = 'refs/ralph/checkpoints/r-20260101-000000-abcd/7';
  expect(repo.git('rev-parse', `${ref}^{tree}`)).toBe(snapshot.tree);
  expect(repo.git('rev-parse', `${ref}^`)).toBe(snapshot.head);
  expect(repo.git('log', '-1', '--format=%an <%ae> %cn', ref)).toBe('ralph <ralph@localhost> ralph');
  expect(repo.git('cat-file', '-p', `${ref}:untracked.txt`)).toBe('kept');
});

it('a checkpoint before the first commit has no parent', async () => {
  const repo = makeRepository(null);
  repo.write('a.txt', 'x\n');
  const git = await openTestGit(repo.root);
  await git.checkpoint('r-1', 1, await git.snapshot());
  expect(repo.git('rev-list', '--count', 'refs/ralph/checkpoints/r-1/1')).toBe('1');
});

it('works in a linked worktree, apart from the main one', async () => {
  const repo = makeRepository({ 'a.txt': 'one\n' });
  const linked = repositoryAt(join(temporaryFolder(), 'linked'));
  repo.git('worktree', 'add', '-q', '-b', 'side', linked.root);
  const [main, side] = [await openTestGit(repo.root), await openTestGit(linked.root)];
  const before = await side.snapshot();
  await main.snapshot();
  linked.write('a.txt', 'two\n');
  repo.write('.git/info/exclude', 'hidden.txt\n');
  linked.write('hidden.txt', 'x\n');
  const after = await side.snapshot();
  expect(after.branch).toBe('side');
  const { changes } = await side.diff(before, after);
  expect(changes.map(({ path }) => path)).toEqual(['a.txt', 'hidden.txt']);
  expect((await main.snapshot()).tree).toBe(repo.git('rev-parse', 'main^{tree}'));
});

it('from a subfolder: paths from the top, and the .ralph folder at the top is left out', async () => {
  const repo = makeRepository({ 'pkg/a.txt': 'one\n', 'b.txt': 'two\n' });
  const git = await openTestGit(repo.path('pkg'));
  const before = await git.snapshot();
  repo.write('pkg/.ralph/state.json', '{}');
  repo.write('.ralph/other.txt', 'x\n');
  repo.write('pkg/a.txt', 'changed\n');
  const { changes } = await git.diff(before, await git.snapshot());
  expect(changes.map(({ path }) => path)).toEqual(['pkg/.ralph/state.json', 'pkg/a.txt']);
});

it("respects the user's own ignore file", async () => {
  const repo = makeRepository({ 'a.txt': 'one\n' });
  const mine = join(temporaryFolder(), 'mine');
  writeFileSync(mine, '*.swp');
  repo.git('config', 'core.excludesFile', mine);
  repo.write('a.swp', 'x\n');
  const { tree } = await (await openTestGit(repo.root)).snapshot();
  expect(tree).toBe(repo.git('rev-parse', 'HEAD^{tree}'));
});

it('inherited git variables do not lead elsewhere', async () => {
  const [repo, other] = [makeRepository({ 'a.txt': 'one\n' }), makeRepository({ 'other.txt': 'x\n' })];
  process.env.GIT_DIR = other.path('.git');
  process.env.GIT_INDEX_FILE = other.path('.git/index');
  try {
    const { tree } = await (await openTestGit(repo.root)).snapshot();
    delete process.env.GIT_DIR;
    delete process.env.GIT_INDEX_FILE;
    expect(tree).toBe(repo.git('rev-parse', 'HEAD^{tree}'));
  } finally {
    delete process.env.GIT_DIR;
    delete process.env.GIT_INDEX_FILE;
  }
});

it('a repository with SHA-256 ids', async () => {
  const repo = repositoryAt(temporaryFolder());
  repo.git('init', '-q', '--object-format=sha256');
  repo.write('a.txt', 'x\n');
  const git = await openTestGit(repo.root);
  const before = await git.snapshot();
  expect(await git.dirtyPaths(before)).toEqual(['a.txt']);
  repo.commitAll('first');
  const { changes, commits } = await git.diff(before, await git.snapshot());
  expect([changes.length, commits.length]).toEqual([0, 1]);
});

describe('an index that an earlier process left', () => {
  /** Edits a file so that an index of before, with its size and times forged, would call it unchanged. */
  async function left(close: boolean) {
    const repo = makeRepository({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
    const git = await openTestGit(repo.root);
    await git.snapshot();
    if (close) git.close();
    const from = privateIndex(repo.path('.git'));
    const to = repo.path(`.git/ralph/snapshot-${GONE}-1/index`);
    renameSync(dirname(from), dirname(to));
    return { repo, to };
  }
  /** An entry that says of what is on disk now that it is the old content. */
  function forge(repo: TestRepository, index: string, file = 'a.txt'): void {
    const env = { GIT_INDEX_FILE: index };
    const old = repo.git('rev-parse', 'HEAD:a.txt');
    repo.write(file, 'agent\n');
    utimesSync(repo.path(file), 1, 1);
    runTestGit(repo.root, ['add', file], env);
    const fresh = runTestGit(repo.root, ['hash-object', file]);
    const bytes = readFileSync(index);
    const at = bytes.indexOf(Buffer.from(fresh, 'hex'));
    Buffer.from(old, 'hex').copy(bytes, at);
    createHash('sha1')
      .update(bytes.subarray(0, -20))
      .digest()
      .copy(bytes, bytes.length - 20);
    writeFileSync(index, bytes);
  }

  it.each([
    ['that it put on record', true],
    ['that it was killed with', false],
  ])('is not believed when it was forged: one %s', async (_what, close) => {
    const { repo, to } = await left(close);
    forge(repo, to);
    expect((await (await openTestGit(repo.root)).snapshot()).tree).toBe(coldTree(repo.root));
  });

  it('neither is yours after a process was killed, with a forged entry and flags', async () => {
    const { repo } = await left(false);
    forge(repo, repo.path('.git/index'));
    repo.write('b.txt', 'agent\n');
    repo.git('update-index', '--assume-unchanged', 'b.txt');
    const { tree } = await (await openTestGit(repo.root)).snapshot();
    expect(repo.git('ls-tree', '-r', tree)).toBe(
      ['a.txt', 'b.txt'].map((name) => `100644 blob ${repo.git('hash-object', name)}\t${name}`).join('\n'),
    );
  });

  it("planted while this process works isn't taken over", async () => {
    const repo = makeRepository({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
    const git = await openTestGit(repo.root);
    await git.snapshot();
    const own = privateIndex(repo.path('.git'));
    const planted = repo.path(`.git/ralph/snapshot-${GONE}-1/index`);
    mkdirSync(dirname(planted));
    copyFileSync(repo.path('.git/index'), planted);
    // A file that was written just before the last snapshot would be read again anyway.
    forge(repo, planted, 'new.txt');
    copyFileSync(planted, own);
    expect((await git.snapshot()).tree).toBe(coldTree(repo.root));
  });
});
