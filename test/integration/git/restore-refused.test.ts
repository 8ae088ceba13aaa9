import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, lchownSync, lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { bundle } from '../../helpers/bundle.ts';
import { contentsOf, lostBytes } from '../../helpers/kept-bytes.ts';
import { openTestGit } from '../../helpers/open-test-git.ts';
import { makeRepository, type TestRepository } from '../../helpers/repository.ts';

/** Nothing is refused to root, so the work is done as this user there. */
const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

let worker = '';
beforeAll(async () => {
  worker = await bundle(new URL('../../helpers/crash/restore-worker.ts', import.meta.url));
  chmodSync(dirname(worker), 0o755);
});

it('fails with a reason in a folder that is read-only, and ends what was begun when it is not any more', async () => {
  const repo = makeRepository({ 'a.txt': 'one\n', 'closed/b.txt': 'two\n', 'z.txt': 'three\n' });
  const target = await (await openTestGit(repo.root)).snapshot();
  for (const name of ['a.txt', 'closed/b.txt', 'closed/new.txt', 'z.txt']) repo.write(name, 'agent\n');
  const bytes = contentsOf(repo.root);
  chmodSync(repo.path('closed'), 0o555);
  const first = putBack(repo, target.tree);
  expect(first.stdout).toContain('"kind":"failed"');
  expect(first.stdout).toMatch(/permission denied.*closed.*kept in kept\/1\. Fix that, then roll back again/);
  expect(repo.read('closed/b.txt')).toBe('agent\n');
  expect(lostBytes(repo.root, bytes)).toEqual([]);
  chmodSync(repo.path('closed'), 0o755);
  expect(putBack(repo, target.tree).stdout).toContain(
    `"kind":"restored","snapshot":{"tree":"${target.tree}"`,
  );
  expect(repo.exists('closed/new.txt')).toBe(false);
  expect(readdirSync(repo.path('.git/ralph')).join()).not.toContain('restore-');
});

it('takes nothing away that cannot be read', async () => {
  const repo = makeRepository({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
  const target = await (await openTestGit(repo.root)).snapshot();
  repo.write('a.txt', 'agent\n');
  repo.write('b.txt', 'secret\n');
  chmodSync(repo.path('b.txt'), 0);
  const refused = putBack(repo, target.tree);
  expect(refused.stdout).toBe('');
  expect(refused.stderr).toMatch(/What is to be taken away can't be kept, so it stays .*b\.txt/);
  expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['agent\n', 'secret\n']);
});

function putBack(repo: TestRepository, tree: string) {
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  if (isRoot) give(repo.root);
  return spawnSync(process.execPath, [worker, repo.root, tree], {
    ...user,
    cwd: '/',
    encoding: 'utf8',
    env: {
      ...process.env,
      XDG_STATE_HOME: join(repo.root, '.git', 'test-state'),
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
    },
  });
}

function give(path: string): void {
  if (lstatSync(path).isSymbolicLink()) lchownSync(path, NOBODY, NOBODY);
  else chownSync(path, NOBODY, NOBODY);
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) give(join(path, name));
}
