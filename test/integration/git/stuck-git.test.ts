/** @module-tag slow */

import { execFileSync } from 'node:child_process';
import { existsSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBlocker } from '../../../src/git/call/blocker.ts';
import { gitCall } from '../../../src/git/call/environment.ts';
import { runGit, runProgram } from '../../../src/git/call/run-git.ts';
import { openTestGit } from '../../helpers/open-test-git.ts';
import { makeRepository, type TestRepository, temporaryFolder } from '../../helpers/repository.ts';

/** Puts a pipe in the place of a file of git. */
function pipe(repo: TestRepository, name: string): void {
  repo.remove(name);
  execFileSync('mkfifo', [repo.path(name)]);
}

describe('a pipe in the place of a file', () => {
  it.each([
    '.gitignore',
    'deep/er/.gitignore',
    'deep/.gitattributes',
    '.git/HEAD',
    '.git/refs/heads/main',
    '.git/objects/info/alternates',
  ])('%s: git is stopped, and the pipe is named', async (name) => {
    const repo = makeRepository({ 'a.txt': 'one\n', 'deep/b.txt': 'two\n', 'deep/er/c.txt': 'three\n' });
    const git = await openTestGit(repo.root);
    await git.snapshot();
    repo.write('deep/er/c.txt', 'agent\n');
    pipe(repo, name);
    await expect(git.snapshot()).rejects.toThrow(`${repo.path(name)} is a pipe`);
    repo.remove(name);
    if (name.startsWith('.git/')) return;
    expect((await git.snapshot()).tree).toMatch(/^[0-9a-f]{40}$/);
  });

  it('rules without an end are named as well', async () => {
    const repo = makeRepository({ 'a.txt': 'one\n', '.gitattributes': '' });
    const asked = () => findBlocker(repo.root, [repo.path('.git')], new AbortController().signal);
    repo.write('large.txt', '');
    truncateSync(repo.path('large.txt'), 2 ** 30);
    expect(await asked()).toBeNull();
    truncateSync(repo.path('.gitattributes'), 2 ** 30);
    const why = 'has 1074 MB, and git would read it whole';
    expect(await asked()).toEqual({ path: repo.path('.gitattributes'), why });
  });

  it('of a tracked file, and beside them: seen as git sees it', async () => {
    const repo = makeRepository({ 'a.txt': 'one\n' });
    const git = await openTestGit(repo.root);
    const before = await git.snapshot();
    pipe(repo, 'a.txt');
    pipe(repo, 'new.txt');
    const { changes } = await git.diff(before, await git.snapshot());
    expect(changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['deleted a.txt']);
  });

  it.each(['.git/config', '.git/info/exclude', '.git/info/attributes'])(
    '%s: not even opened, as it is what it was at the start',
    async (name) => {
      const repo = makeRepository({ 'a.txt': 'one\n' });
      const git = await openTestGit(repo.root);
      await git.snapshot();
      pipe(repo, name);
      repo.write('a.txt', 'agent\n');
      await expect(git.snapshot()).resolves.toBeDefined();
    },
  );
});

describe('a program that never ends', () => {
  it('is ended at its limit, with what it started', async () => {
    const repo = makeRepository({ 'a.txt': 'one\n' });
    const folder = temporaryFolder();
    repo.git('config', 'alias.wait', `!echo $$ > '${join(folder, 'pid')}'; trap '' TERM; sleep 600 & wait`);
    const call = { ...gitCall({ kind: 'question', folder: repo.root }), limitMs: 5000 };
    await expect(runGit(call, ['wait'])).rejects.toThrow(/^git wait didn't end within .* and was stopped/);
    expect(existsSync(join(folder, 'pid'))).toBe(true);
  });

  it('is not waited for when only what it left behind holds its output', async () => {
    const call = gitCall({ kind: 'question', folder: temporaryFolder() });
    const end = await runProgram('/bin/sh', ['-c', 'echo out; sleep 600 & exit 3'], call, {});
    expect(end).toMatchObject({ code: 3, stopped: null, stdout: Buffer.from('out\n') });
  });
});
