import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openGit } from '../../../src/git/index.ts';
import { openTestGit } from '../../helpers/open-test-git.ts';
import { makeRepository, repositoryAt, temporaryFolder } from '../../helpers/repository.ts';

const path = process.env.PATH ?? '';
afterEach(() => {
  process.env.PATH = path;
});

it('reports where the work tree and its git folders are', async () => {
  const repo = makeRepository();
  repo.write('deep/er/x', '');
  const opened = await openGit({ root: repo.path('deep/er') });
  const gitDir = repo.path('.git');
  expect(opened).toMatchObject({ ok: true, top: repo.root, gitDir, commonDir: gitDir });
});

it('reports the shared git folder of a linked worktree, also through a symlink', async () => {
  const repo = makeRepository();
  const linked = join(temporaryFolder(), 'linked');
  repo.git('worktree', 'add', '-q', '--detach', linked);
  const link = join(temporaryFolder(), 'link');
  symlinkSync(linked, link);
  const gitDir = repo.path('.git/worktrees/linked');
  const opened = await openGit({ root: link });
  expect(opened).toMatchObject({ ok: true, top: linked, gitDir, commonDir: repo.path('.git') });
});

it("refuses what isn't a work tree, and says what to do", async () => {
  const plain = temporaryFolder();
  const bare = repositoryAt(temporaryFolder());
  bare.git('init', '-q', '--bare');
  const repo = makeRepository();
  expect(await openGit({ root: plain })).toEqual({
    ok: false,
    message: `${plain} isn't in a git repository.`,
    next: 'git init',
  });
  expect(await openGit({ root: bare.root })).toMatchObject({ message: expect.stringContaining('bare') });
  expect(await openGit({ root: repo.path('.git') })).toMatchObject({
    message: expect.stringContaining('inside a .git folder'),
  });
  expect(await openGit({ root: join(plain, 'absent') })).toMatchObject({ ok: false });
});

it('refuses without git, and with a git that is too old', async () => {
  const repo = makeRepository();
  const bin = temporaryFolder();
  process.env.PATH = bin;
  expect(await openGit({ root: repo.root })).toMatchObject({
    ok: false,
    message: expect.stringContaining('install git 2.30 or newer'),
  });
  writeFileSync(join(bin, 'git'), '#!/bin/sh\necho git version 2.29.3\n');
  chmodSync(join(bin, 'git'), 0o755);
  process.env.PATH = `${bin}${delimiter}${path}`;
  expect(await openGit({ root: repo.root })).toEqual({
    ok: false,
    message: 'git is 2.29; ralph needs 2.30 or newer. Update git.',
  });
});

it('says of a patch that brings a file where there is a folder by now, or the reverse, that it does not apply', async () => {
  const repo = makeRepository();
  const git = await openTestGit(repo.root);
  const base = repo.git('rev-parse', 'HEAD^{tree}');
  const treeWith = (path: string) => {
    repo.write(path, 'text\n');
    const tree = `${repo.commitAll(path)}^{tree}`;
    repo.git('reset', '-q', '--hard', 'HEAD~1');
    return repo.git('rev-parse', tree);
  };
  const [file, below] = [treeWith('x'), treeWith('x/y')];
  expect(await git.applyToTree(file, await git.wholePatch(base, below))).toBeNull();
  expect(await git.applyToTree(below, await git.wholePatch(base, file))).toBeNull();
  expect(await git.applyToTree(base, await git.wholePatch(base, below))).toBe(below);
});
