import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { lockIndex, unlockIndex } from '../../../src/git/call/index-lock.ts';
import { openTestGit } from '../../helpers/open-test-git.ts';
import {
  makeRepository,
  repositoryAt,
  type TestRepository,
  temporaryFolder,
} from '../../helpers/repository.ts';

/** Returns the refs that git itself lists, without ralph's own. */
function refsOfGit(repo: TestRepository) {
  const lines = repo.git('for-each-ref', '--format=%(refname) %(objectname)').trim().split('\n');
  return Object.fromEntries(
    lines.filter((line) => line !== '' && !line.startsWith('refs/ralph/')).map((line) => line.split(' ')),
  );
}

function commit(repo: TestRepository, name: string): string {
  repo.write(name, name);
  repo.git('add', '-A');
  repo.git('commit', '-qm', name);
  return repo.git('rev-parse', 'HEAD').trim();
}

it('reads what git reads: loose and packed refs, tags, remotes, a detached HEAD', async () => {
  const repo = makeRepository({ 'a.txt': 'a' });
  const git = await openTestGit(repo.root);
  const first = repo.git('rev-parse', 'HEAD').trim();
  const check = async () => {
    const { head, refs } = await git.refs();
    expect(Object.fromEntries(refs)).toEqual(refsOfGit(repo));
    expect(head).toBe(repo.git('rev-parse', 'HEAD').trim());
  };
  await check();
  repo.git('tag', '-a', 'v1', '-m', 'one');
  repo.git('branch', 'deep/er/branch');
  repo.git('update-ref', 'refs/remotes/origin/main', first);
  repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  repo.git('update-ref', 'refs/ralph/checkpoints/r-1/1', first);
  repo.git('symbolic-ref', '-d', 'refs/remotes/origin/HEAD');
  await check();
  repo.git('pack-refs', '--all');
  await check();
  commit(repo, 'b.txt');
  await check();
  repo.git('checkout', '-q', '--detach', first);
  await check();
});

it.each(['ünï', '日本語', 'a\u3000b', 'ends in a no-break space\u00a0'.replaceAll(' ', '-'), 'a"b\'c', '😀'])(
  'reads a branch of any name: %s',
  async (name) => {
    const repo = makeRepository({ 'a.txt': 'a' });
    const git = await openTestGit(repo.root);
    const check = async () => {
      const { head, refs } = await git.refs();
      expect(Object.fromEntries(refs)).toEqual(refsOfGit(repo));
      expect(head).toBe(repo.git('rev-parse', 'HEAD').trim());
    };
    repo.git('checkout', '-q', '-b', name);
    commit(repo, 'b.txt');
    await check();
    repo.git('pack-refs', '--all');
    await check();
  },
);

it('leaves refs of its own out, but for where HEAD leads', async () => {
  const repo = makeRepository({ 'a.txt': 'a' });
  const git = await openTestGit(repo.root);
  const first = repo.git('rev-parse', 'HEAD').trim();
  const second = commit(repo, 'b.txt');
  repo.git('update-ref', 'refs/ralph/checkpoints/r/1', first);
  repo.git('symbolic-ref', 'refs/heads/leading', 'refs/ralph/checkpoints/r/1');
  const { head, refs } = await git.refs();
  expect(head).toBe(second);
  expect([...refs.keys()]).toEqual(['refs/heads/main']);
  for (const name of ['refs/ralph/checkpoints/r/1', 'refs/heads/leading']) {
    writeFileSync(join(repo.root, '.git/HEAD'), `ref: ${name}\n`);
    expect(await git.refs()).toEqual({ head: first, refs });
  }
});

it('knows no HEAD before the first commit, and that of a linked worktree', async () => {
  const bare = repositoryAt(temporaryFolder());
  bare.git('init', '-q');
  expect((await (await openTestGit(bare.root)).refs()).head).toBeNull();

  const repo = makeRepository({ 'a.txt': 'a' });
  const first = repo.git('rev-parse', 'HEAD').trim();
  commit(repo, 'b.txt');
  const linked = join(temporaryFolder(), 'linked');
  repo.git('worktree', 'add', '-q', '--detach', linked, first);
  expect((await (await openTestGit(linked)).refs()).head).toBe(first);
});

it("moves refs of ralph's own past the locks of a git that was killed", async () => {
  const repo = makeRepository({ 'a.txt': 'one\n' });
  const git = await openTestGit(repo.root);
  const snapshot = await git.snapshot();
  await git.checkpoint('r-1', 1, snapshot);
  repo.write('a.txt', 'two\n');
  const other = await git.snapshot();
  const left = ['checkpoints/r-1/1', 'checkpoints/r-1/2', 'checkpoints/kept/1'];
  for (const name of left) repo.write(`.git/refs/ralph/${name}.lock`, '');
  await git.checkpoint('r-1', 1, other);
  await git.checkpoint('r-1', 2, other);
  expect(await git.keep(other.tree, 'kept')).toBe('kept/1');
  const trees = (await git.checkpoints()).map(({ id, tree }) => [id, tree]);
  expect(Object.fromEntries(trees)).toEqual({
    'r-1/1': other.tree,
    'r-1/2': other.tree,
    'kept/1': other.tree,
  });
  expect(left.filter((name) => repo.exists(`.git/refs/ralph/${name}.lock`))).toEqual([]);
});

it("lets the user's index follow a commit of ralph's past the lock of one that was killed, and waits for another git", async () => {
  const repo = makeRepository({ 'list.md': '- [ ] one\n' });
  const before = repo.git('rev-parse', 'HEAD').trim();
  repo.write('list.md', '- [x] one\n');
  repo.git('commit', '-qam', 'ticked');
  // As after a kill behind the commit: the index has the file of before.
  const killed = (lock: string) => {
    repo.git('read-tree', before);
    repo.write('.git/ralph/commit-pending', before);
    repo.write('.git/index.lock', lock);
  };
  const staged = () => repo.git('diff', '--cached', '--name-only').trim();
  const look = async () => {
    await (await openTestGit(repo.root)).snapshot();
  };

  killed('ralph index 99999999 1');
  await look();
  expect([staged(), repo.exists('.git/index.lock')]).toEqual(['', false]);

  killed('');
  await look();
  expect([staged(), repo.exists('.git/index.lock')]).toEqual(['list.md', true]);
  repo.remove('.git/index.lock');
  await look();
  expect(staged()).toBe('');
});

/** Reads the file of `workerData` until `over` is set; posts how often it was there, and how often empty. */
const READER = `const { readFileSync } = require('node:fs');
const { parentPort, workerData: { file, over } } = require('node:worker_threads');
let [there, empty] = [0, 0];
while (Atomics.load(over, 0) === 0) {
  try {
    const text = readFileSync(file, 'utf8');
    there += 1;
    if (text === '') empty += 1;
  } catch {}
  if (there === 1) Atomics.store(over, 1, 1);
}
parentPort.postMessage({ there, empty });`;

it('locks the index with its holder in one step, so that a kill leaves no lock without one', async () => {
  const tree = { gitDir: temporaryFolder() } as Parameters<typeof lockIndex>[0];
  const over = new Int32Array(new SharedArrayBuffer(8));
  const reader = new Worker(READER, {
    eval: true,
    workerData: { file: join(tree.gitDir, 'index.lock'), over },
  });
  const seen = new Promise((resolve) => reader.once('message', resolve));
  for (let after = 0; after < 500; after += Atomics.load(over, 1)) {
    lockIndex(tree, 'ralph 1');
    unlockIndex(tree);
    await new Promise((resolve) => setImmediate(resolve));
  }
  Atomics.store(over, 0, 1);
  expect(await seen).toMatchObject({ empty: 0 });
});
