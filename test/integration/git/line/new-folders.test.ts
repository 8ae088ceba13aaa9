import { chmodSync, cpSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { lineOf, verified } from '../../../helpers/line/results.ts';
import { makeRepository, type TestRepository, temporaryFolder } from '../../../helpers/repository.ts';

afterEach(() => vi.unstubAllEnvs());

const RESULT = { 'new/c.txt': 'c\n', 'new/deep/d.txt': 'd\n', 'old/e.txt': 'e\n' };

/** The disk as a landing that is killed before the branch moves leaves it: the new folder has come. */
async function killedWithin(repo: TestRepository) {
  const line = await lineOf(repo.root);
  await verified(repo.root, line, 'T-1', RESULT);
  const [programs, kept] = [temporaryFolder(), temporaryFolder()];
  const git = `#!/bin/sh
PATH='${process.env.PATH}'
case $GIT_INDEX_FILE-$* in *users-index*--refresh*)
  cp -a '${repo.path('.git/ralph/landing')}' '${repo.path('.git/index.lock')}' '${repo.path('new')}' '${repo.path('old')}' '${kept}'
  exit 128 ;;
esac
exec git "$@"
`;
  writeFileSync(join(programs, 'git'), git, { mode: 0o755 });
  vi.stubEnv('PATH', `${programs}:${process.env.PATH}`);
  await line.land(async () => true);
  vi.unstubAllEnvs();
  for (const [from, to] of [
    ['landing', '.git/ralph/landing'],
    ['index.lock', '.git/index.lock'],
    ['new', 'new'],
    ['old', 'old'],
  ] as const)
    cpSync(join(kept, from), repo.path(to), { recursive: true });
  expect(repo.exists('.git/ralph/landing/new/new')).toBe(false);
}

describe('a folder that comes whole, and a kill before the branch moves', () => {
  const cases: readonly (readonly [
    string,
    (repo: TestRepository) => void,
    readonly string[],
    string | null,
  ])[] = [
    ['lands once more', () => undefined, [], 'c\n'],
    [
      'leaves a file of it alone that you edited since',
      (repo) => repo.write('new/c.txt', 'mine\n'),
      ['new/c.txt'],
      'mine\n',
    ],
    ['lands anew where you took one away', (repo) => rmSync(repo.path('new/c.txt')), [], 'c\n'],
    [
      'lands anew where you took all of it away',
      (repo) => rmSync(repo.path('new'), { recursive: true }),
      [],
      'c\n',
    ],
  ];
  it.each(cases)('%s', async (_what, change, waits, text) => {
    const repo = makeRepository({ 'a.txt': 'a\n', 'old/b.txt': 'b\n' });
    await killedWithin(repo);
    change(repo);
    const { waiting } = await (await lineOf(repo.root)).land(async () => true);
    expect(waiting?.paths ?? []).toEqual(waits);
    expect(repo.read('new/c.txt')).toBe(text);
    const status = repo.git('status', '--porcelain', '-uall');
    expect(status).toBe(waits.map((path) => `?? ${path}`).join('\n'));
    expect(repo.exists('.git/index.lock')).toBe(false);
  });
});

it('a new folder below one that hands its group down has it, too', async () => {
  const repo = makeRepository({ 'a.txt': 'a\n', 'old/b.txt': 'b\n' });
  const line = await lineOf(repo.root);
  const old = repo.path('old');
  chmodSync(old, 0o2755);
  await verified(repo.root, line, 'T-1', { 'old/new/c.txt': 'c\n' });
  expect((await line.land(async () => true)).landed).toHaveLength(1);
  expect(statSync(join(old, 'new')).mode & 0o2000).toBe(0o2000);
});
