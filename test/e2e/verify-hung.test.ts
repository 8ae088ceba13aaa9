/** @module-tag slow */

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { resolveExecutable } from 'ralph-kit/programs/start/resolve-executable';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../helpers/repository.ts';
import { commit, FIX, strange } from '../helpers/strange-project.ts';

/** Seconds: longer than any of these programs takes, however busy the machine is. */
const PATIENCE = 5;

/** Puts a program first in PATH that never ends where its arguments have this word, and otherwise is the real one. */
function hung(name: string, word: string): void {
  const found = resolveExecutable(name, '/', process.env);
  const real = found.kind === 'missing' ? 'exit 1' : `exec ${found.path} "$@"`;
  standIn(name, `case " $* " in *" ${word} "*) sleep 100000; exit 1;; esac\n${real}`);
  vi.stubEnv('RALPH_PATIENCE', String(PATIENCE));
}

/** Puts a program with this script first in PATH. */
function standIn(name: string, script: string): void {
  const folder = join(temporaryFolder(), 'bin');
  mkdirSync(folder);
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
}

function feature() {
  const project = strange();
  project.git('checkout', '-q', '-b', 'feature');
  commit(project, 'fix', FIX);
  return project;
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('ralph verify, with a program that never ends', () => {
  it.each([
    ['git', 'rev-parse'],
    ['git', 'merge-base'],
    ['git', 'cat-file'],
    ['git', 'read-tree'],
    ['git', 'ls-files'],
    ['git', 'diff-tree'],
  ])('%s %s: says which one, and ends', (name, word) => {
    const project = feature();
    hung(name, word);
    const { code, stdout, stderr } = project.ralph('verify', 'main..feature');
    expect(code, stdout + stderr).not.toBe(0);
    expect(stdout + stderr).toMatch(
      new RegExp(`${word}.* didn't (?:end|answer) within ${PATIENCE} s and was stopped`),
    );
  });

  it.each([
    ['gh', 'pr'],
    ['git', 'ls-remote'],
    ['git', 'fetch'],
  ])('%s %s, where it judges a pull request: says which one, and ends', (name, word) => {
    const project = feature();
    project.git('remote', 'add', 'origin', project.root);
    project.git('update-ref', 'refs/pull/7/head', 'feature');
    // The machine may have a gh that is signed in.
    if (name !== 'gh') standIn('gh', `echo '{"baseRefName":"main","url":"https://github.com/a/b/pull/7"}'`);
    hung(name, word);
    const { code, stdout, stderr } = project.ralph('verify', '--pr', '7');
    expect(code, stdout + stderr).not.toBe(0);
    expect((stdout + stderr).replace(/\s+/g, ' ')).toMatch(
      new RegExp(`${name}.* didn't end within ${PATIENCE} s and was stopped`),
    );
  });

  it('xargs, which copies files and checks them: says so, and ends', () => {
    const project = feature();
    hung('xargs', '-0');
    const { code, stdout, stderr } = project.ralph('verify', 'main..feature');
    expect(code, stdout + stderr).not.toBe(0);
    expect(stdout + stderr).toContain(`xargs didn't end within ${PATIENCE} s and was stopped`);
  });

  it('ssh-keygen: the receipt is not made, with the reason', () => {
    const project = feature();
    hung('ssh-keygen', '-Y');
    writeFileSync(project.path('.git/key'), 'x');
    const { code, stdout, stderr } = project.ralph(
      'verify',
      'main..feature',
      '--sign',
      project.path('.git/key'),
      '--receipt',
      'r.json',
    );
    expect(code, stdout + stderr).not.toBe(0);
    expect(stdout + stderr).toContain(`ssh-keygen didn't end within ${PATIENCE} s and was stopped`);
  });
});
