import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openGit } from '../../../src/io/git/index.ts';
import type { GitManifest, GitProtection } from '../../../src/io/git/protect/git-protection.ts';
import {
  makeRepository,
  repositoryAt,
  type TestRepository,
  temporaryFolder,
} from '../../helpers/repository.ts';

let repo: TestRepository;
let home: string;
let aside: string;
let guard: GitProtection;

const open = async (root: string) => {
  const opened = await openGit({ root });
  if (!opened.ok) throw new Error(opened.message);
  return opened.protection(home);
};

/** A repository with some of everything: branches, a tag, a remote, a stash of two, packed and loose refs. */
beforeEach(async () => {
  repo = makeRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  home = join(temporaryFolder(), 'home');
  aside = join(temporaryFolder(), 'set-aside');
  repo.git('branch', 'dev');
  repo.git('branch', 'feature/one');
  repo.git('tag', 'v1');
  repo.git('tag', '-a', '-m', 'two', 'v2');
  repo.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  repo.git('pack-refs', '--all');
  repo.write('a.txt', 'second\n');
  repo.commitAll('second');
  for (const text of ['x\n', 'y\n']) {
    repo.write('b.txt', text);
    repo.git('stash', 'push', '-q', '-m', `stash ${text.trim()}`);
  }
  repo.git('update-ref', 'refs/ralph/checkpoints/r-1/1', 'HEAD');
  repo.write('.git/hooks/pre-commit', '#!/bin/sh\nexit 0\n', 0o755);
  guard = await open(repo.root);
});

const place = () => ({ setAside: aside, shownAs: 'set-aside', keepUnder: 'r-1/1' });
const restore = (before: GitManifest) => guard.restore(before, place());

/** What the user sees of the repository. */
function seen({ git, root }: TestRepository) {
  const hooks = join(root, '.git/hooks');
  return {
    refs: git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads', 'refs/tags', 'refs/stash'),
    head: git('symbolic-ref', '-q', 'HEAD'),
    stashes: git('stash', 'list'),
    config: git('config', '--local', '--list'),
    hooks: readdirSync(hooks).map((name) => `${name} ${readFileSync(join(hooks, name), 'utf8')}`),
    exclude: readFileSync(join(root, '.git/info/exclude'), 'utf8'),
    fsck: git('fsck', '--connectivity-only', '--no-dangling'),
  };
}

type Case = readonly [name: string, change: (repo: TestRepository) => void, paths: readonly string[]];

const CASES: readonly Case[] = [
  ['nothing', () => undefined, []],
  ['hooks path', ({ git }) => git('config', 'core.hooksPath', '.evil'), ['.git/config']],
  ['settings deleted', ({ remove }) => remove('.git/config'), ['.git/config']],
  ['settings that git refuses', ({ write }) => write('.git/config', '[[[\n'), ['.git/config']],
  [
    'hook planted',
    ({ write }) => write('.git/hooks/post-commit', '#!/bin/sh\n', 0o755),
    ['.git/hooks/post-commit'],
  ],
  ['hook changed', ({ write }) => write('.git/hooks/pre-commit', 'other\n'), ['.git/hooks/pre-commit']],
  [
    'hook switched off',
    ({ path }) => chmodSync(path('.git/hooks/pre-commit'), 0o644),
    ['.git/hooks/pre-commit'],
  ],
  [
    'hooks folder replaced by a link',
    ({ path }) => {
      renameSync(path('.git/hooks'), path('moved'));
      symlinkSync('../moved', path('.git/hooks'));
    },
    ['.git/hooks', '.git/hooks/pre-commit'],
  ],
  [
    'rule that hides',
    ({ path }) => appendFileSync(path('.git/info/exclude'), '*.ts\n'),
    ['.git/info/exclude'],
  ],
  ['attributes', ({ write }) => write('.git/info/attributes', '* filter=evil\n'), ['.git/info/attributes']],
  [
    'alternates',
    ({ write }) => write('.git/objects/info/alternates', '/x\n'),
    ['.git/objects/info/alternates'],
  ],
  ['branch moved', ({ git }) => git('branch', '-f', 'dev', 'main'), ['refs/heads/dev']],
  ['branch deleted', ({ git }) => git('branch', '-D', 'dev'), ['refs/heads/dev']],
  ['branch in a folder deleted', ({ git }) => git('branch', '-D', 'feature/one'), ['refs/heads/feature/one']],
  [
    'branch made a folder',
    ({ git }) => {
      git('branch', '-D', 'dev');
      git('branch', 'dev/x');
    },
    ['refs/heads/dev', 'refs/heads/dev/x'],
  ],
  ['current branch rewound', ({ git }) => git('reset', '-q', '--soft', 'HEAD~1'), ['refs/heads/main']],
  [
    'current branch amended',
    ({ git }) => git('commit', '-q', '--amend', '--allow-empty', '-m', 'mine'),
    ['refs/heads/main'],
  ],
  ['current branch deleted', ({ git }) => git('update-ref', '-d', 'refs/heads/main'), ['refs/heads/main']],
  ['ref that git can’t read', ({ write }) => write('.git/refs/heads/main', 'x'), ['refs/heads/main']],
  [
    'ref made a link',
    ({ remove, path }) => {
      remove('.git/refs/heads/main');
      symlinkSync('/dev/null', path('.git/refs/heads/main'));
    },
    ['refs/heads/main'],
  ],
  [
    'branches behind a link',
    ({ path }) => {
      renameSync(path('.git/refs/heads'), path('moved'));
      symlinkSync('../../moved', path('.git/refs/heads'));
    },
    ['refs/heads/main'],
  ],
  [
    'branch made to stand for another',
    ({ git }) => git('symbolic-ref', 'refs/heads/dev', 'refs/heads/main'),
    ['refs/heads/dev'],
  ],
  ['tags deleted', ({ git }) => git('tag', '-d', 'v1', 'v2'), ['refs/tags/v1', 'refs/tags/v2']],
  ['stash dropped', ({ git }) => git('stash', 'drop', '-q'), ['.git/logs/refs/stash', 'refs/stash']],
  ['older stash dropped', ({ git }) => git('stash', 'drop', '-q', 'stash@{1}'), ['.git/logs/refs/stash']],
  ['stashes cleared', ({ git }) => git('stash', 'clear'), ['.git/logs/refs/stash', 'refs/stash']],
  [
    'checkpoint deleted',
    ({ git }) => git('update-ref', '-d', 'refs/ralph/checkpoints/r-1/1'),
    ['refs/ralph/checkpoints/r-1/1'],
  ],
  ['HEAD on another branch of yours', ({ git }) => git('checkout', '-q', 'dev'), ['HEAD']],
  ['HEAD on no branch', ({ git }) => git('checkout', '-q', '--detach', 'HEAD~1'), ['HEAD']],
  ['HEAD deleted', ({ remove }) => remove('.git/HEAD'), ['HEAD']],
  ['HEAD damaged', ({ write }) => write('.git/HEAD', 'nowhere\n'), ['HEAD']],
  ['packed refs damaged', ({ write }) => write('.git/packed-refs', 'x y z\n'), []],
  ['packed refs deleted', ({ remove }) => remove('.git/packed-refs'), []],
  [
    'logs deleted',
    ({ remove }) => remove('.git/logs'),
    ['.git/logs/HEAD', '.git/logs/refs/heads/main', '.git/logs/refs/stash'],
  ],
  [
    'all objects that nothing holds',
    ({ git }) => {
      git('stash', 'clear');
      git('reset', '-q', '--hard', 'v1');
      git('reflog', 'expire', '--expire=now', '--all');
      git('gc', '-q', '--prune=now');
    },
    ['.git/logs/refs/stash', 'refs/heads/main', 'refs/stash'],
  ],
  ['the whole folder', ({ remove }) => remove('.git'), ['HEAD']],
];

describe('git after an attempt', () => {
  it.each(CASES)('is as before: %s', async (_, change, paths) => {
    const before = seen(repo);
    const log = repo.read('.git/logs/refs/heads/main');
    const captured = await guard.capture();
    change(repo);
    const found = await restore(captured);
    expect(seen(repo)).toEqual(before);
    expect(repo.read('.git/logs/refs/heads/main').slice(0, log.length)).toBe(log);
    expect(found.map(({ path }) => path)).toEqual(expect.arrayContaining([...paths]));
    if (paths.length === 0) expect(found).toEqual([]);
    expect(await restore(captured)).toEqual([]);
  });

  it.each(CASES)('is as before in another process: %s', async (_, change) => {
    const before = seen(repo);
    const captured = JSON.parse(JSON.stringify(await guard.capture()));
    guard = await open(repo.root);
    change(repo);
    await restore(captured);
    expect(seen(repo)).toEqual(before);
  });

  it.each<Case>([
    ['commits on the current branch', ({ git }) => git('commit', '-q', '--allow-empty', '-m', 'work'), []],
    ['a branch of its own', ({ git }) => git('checkout', '-q', '-b', 'own'), []],
    [
      'commits on it',
      ({ git }) => {
        git('checkout', '-q', '-b', 'own');
        git('commit', '-q', '--allow-empty', '-m', 'work');
      },
      [],
    ],
    ['a tag of its own', ({ git }) => git('tag', 'own'), []],
    ['a fetch', ({ git }) => git('update-ref', 'refs/remotes/origin/main', 'dev'), []],
    ['housekeeping', ({ git }) => git('gc', '-q'), []],
  ])('may have %s', async (_, change) => {
    const captured = await guard.capture();
    change(repo);
    const after = [repo.git('for-each-ref'), repo.read('.git/HEAD')];
    expect(await restore(captured)).toEqual([]);
    expect([repo.git('for-each-ref'), repo.read('.git/HEAD')]).toEqual(after);
  });

  it('keeps what the agent made where a branch comes back', async () => {
    const captured = await guard.capture();
    repo.git('checkout', '-q', 'dev');
    repo.write('new.txt', 'work\n');
    const commit = repo.commitAll('work on dev');
    const found = await restore(captured);
    const kept = found.find(({ path }) => path === 'refs/heads/dev')?.setAside ?? '';
    expect(kept).toMatch(/^refs\/ralph\/kept\/r-1\/1\/heads-dev-/);
    expect(repo.git('rev-parse', kept)).toBe(commit);
  });

  it('follows what ralph itself did meanwhile', async () => {
    const captured = await guard.capture();
    repo.git('update-ref', '-d', 'refs/ralph/checkpoints/r-1/1');
    repo.git('update-ref', 'refs/ralph/checkpoints/r-1/2', 'HEAD');
    const commit = repo.git('rev-parse', 'HEAD');
    await guard.follow(
      new Map([
        ['refs/ralph/checkpoints/r-1/1', null],
        ['refs/ralph/checkpoints/r-1/2', commit],
      ]),
    );
    expect(await restore(captured)).toEqual([]);
    repo.git('update-ref', '-d', 'refs/ralph/checkpoints/r-1/2');
    expect(await restore(captured)).toMatchObject([{ path: 'refs/ralph/checkpoints/r-1/2' }]);
    expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/ralph')).toBe(
      'refs/ralph/checkpoints/r-1/2',
    );
  });

  it('reports that a commit of its own is gone, and continues without the ref', async () => {
    const captured = await guard.capture();
    const commit = repo.git('commit-tree', '-m', 'checkpoint', 'HEAD^{tree}');
    repo.git('update-ref', 'refs/ralph/checkpoints/r-1/2', commit);
    rmSync(repo.object(commit));
    await expect(guard.follow(new Map([['refs/ralph/checkpoints/r-1/2', commit]]))).rejects.toThrow(
      'is gone',
    );
    expect(await restore(captured)).toMatchObject([
      { path: 'refs/ralph/checkpoints/r-1/2', change: 'created' },
    ]);
    expect(repo.git('for-each-ref', 'refs/ralph/checkpoints/r-1/2')).toBe('');
  });

  it('follows a commit of its own that is in a pack', async () => {
    const captured = await guard.capture();
    const commit = repo.git('commit-tree', '-m', 'checkpoint', 'HEAD^{tree}');
    repo.git('update-ref', 'refs/ralph/checkpoints/r-1/2', commit);
    repo.git('repack', '-a', '-d', '-q');
    await guard.follow(new Map([['refs/ralph/checkpoints/r-1/2', commit]]));
    expect(await restore(captured)).toEqual([]);
    expect(repo.git('rev-parse', 'refs/ralph/checkpoints/r-1/2')).toBe(commit);
  });

  it('keeps the version that it replaces', async () => {
    const captured = await guard.capture();
    repo.git('config', 'user.name', 'evil');
    const [found] = await restore(captured);
    expect(readFileSync(join(aside, (found?.setAside ?? '').replace('set-aside/', '')), 'utf8')).toContain(
      'evil',
    );
  });
});

describe('uncommitted work', () => {
  it('loses no byte to deleted refs, an expired reflog and gc --prune=now', async () => {
    repo.write('untracked.txt', 'only here\n');
    const blob = repo.git('hash-object', '-w', 'untracked.txt');
    const captured = await guard.capture();
    repo.remove('untracked.txt');
    for (const ref of repo.git('for-each-ref', '--format=%(refname)').split('\n'))
      repo.git('update-ref', '-d', ref);
    repo.git('reflog', 'expire', '--expire=now', '--all');
    repo.git('gc', '-q', '--prune=now');
    expect(() => repo.git('cat-file', '-e', blob)).toThrow();
    await restore(captured);
    expect(repo.git('cat-file', '-p', blob)).toBe('only here');
  });

  it('takes no space at the end of a run', async () => {
    await guard.capture();
    expect(existsSync(join(home, 'objects'))).toBe(true);
    guard.forget();
    expect(readdirSync(home)).toEqual([]);
  });
});

describe('other repositories', () => {
  it.each<readonly [string, (repo: TestRepository) => TestRepository]>([
    ['without a commit', () => makeRepository(null)],
    [
      'on no branch',
      (one) => {
        one.git('checkout', '-q', '--detach');
        return one;
      },
    ],
    [
      'a linked work tree',
      (one) => {
        const linked = join(temporaryFolder(), 'linked');
        one.git('worktree', 'add', '-q', '-b', 'linked', linked);
        return repositoryAt(linked);
      },
    ],
    [
      'odd names',
      (one) => {
        for (const name of ['ü', "it's", 'a$b', 'x.y-z@1', 'deep/er/still']) one.git('branch', name);
        return one;
      },
    ],
  ])('come back: %s', async (_, make) => {
    const one = make(repo);
    guard = await open(one.root);
    const refs = one.git('for-each-ref');
    const head = readFileSync(one.git('rev-parse', '--absolute-git-dir').concat('/HEAD'), 'utf8');
    const captured = await guard.capture();
    for (const ref of one.git('for-each-ref', '--format=%(refname)').split('\n').filter(Boolean))
      one.git('update-ref', '-d', ref);
    one.git('symbolic-ref', 'HEAD', 'refs/ralph/nowhere');
    one.git('config', 'core.pager', 'evil');
    await restore(captured);
    const remotes = (text: string) => text.split('\n').filter((line) => !line.includes('refs/remotes'));
    expect(remotes(one.git('for-each-ref'))).toEqual(remotes(refs));
    expect(readFileSync(one.git('rev-parse', '--absolute-git-dir').concat('/HEAD'), 'utf8')).toBe(head);
    expect(one.git('config', '--local', '--list')).not.toContain('evil');
  });

  it('leave a branch alone that another work tree commits to', async () => {
    const linked = repositoryAt(join(temporaryFolder(), 'linked'));
    repo.git('worktree', 'add', '-q', '-b', 'linked', linked.root);
    const captured = await guard.capture();
    linked.git('commit', '-q', '--allow-empty', '-m', 'theirs');
    expect(await restore(captured)).toEqual([]);
    linked.git('reset', '-q', '--hard', 'HEAD~1');
    expect(await restore(captured)).toEqual([]);
    linked.git('reset', '-q', '--hard', 'v1');
    expect(await restore(captured)).toMatchObject([{ path: 'refs/heads/linked' }]);
  });

  it('protect files that settings include', async () => {
    repo.write('.gitsettings', '[alias]\n\tx = log\n');
    repo.git('config', 'include.path', '../.gitsettings');
    guard = await open(repo.root);
    const captured = await guard.capture();
    writeFileSync(repo.path('.gitsettings'), '[core]\n\tfsmonitor = evil\n');
    expect(await restore(captured)).toMatchObject([{ kind: 'git', path: '.gitsettings' }]);
    expect(repo.read('.gitsettings')).toContain('x = log');
  });

  it('refuse where what was kept is damaged', async () => {
    const captured = JSON.parse(JSON.stringify(await guard.capture()));
    for (const name of readdirSync(join(home, 'git'))) writeFileSync(join(home, 'git', name), 'x');
    repo.git('config', 'user.name', 'evil');
    guard = await open(repo.root);
    await expect(restore(captured)).rejects.toThrow(/is damaged.*git status/);
  });
});
