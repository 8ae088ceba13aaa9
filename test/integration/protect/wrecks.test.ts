import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitProtection } from '../../../src/io/git/protect/git-protection.ts';
import { locate } from '../../../src/io/git/repository/locate.ts';
import { makeRepository, type TestRepository, temporaryFolder } from '../../helpers/repository.ts';

/** What an agent may find in a git folder: packed and loose, staged, stashed, several branches. */
function usedRepository(): TestRepository {
  const repo = makeRepository({ a: 'one\n', b: 'two\n' });
  repo.git('branch', 'dev');
  repo.git('tag', '-a', '-m', 'first', 'v1');
  repo.write('a', 'three\n');
  repo.commitAll('second');
  repo.git('gc', '-q');
  repo.git('multi-pack-index', 'write');
  repo.write('a', 'four\n');
  repo.commitAll('third');
  repo.write('b', 'put away\n');
  repo.git('stash', '-q');
  repo.git('branch', 'other');
  repo.git('config', 'user.name', 'Somebody');
  repo.write('.git/hooks/pre-commit', '#!/bin/sh\n', 0o755);
  repo.write('c', 'staged\n');
  repo.git('add', '--', 'c');
  return repo;
}

/** All that you would ask git for in the morning. */
function asked(repo: TestRepository) {
  // Of a pipe that is left, git would wait for the other end.
  const git = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('git', args, {
      cwd: repo.root,
      timeout: 10_000,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };
  return {
    problems: git('fsck', '--full', '--strict'),
    refs: git('for-each-ref'),
    head: git('symbolic-ref', 'HEAD'),
    history: git('log', '--all', '--oneline'),
    // That ralph moved a ref back is a move, too.
    moves: git('reflog', '--format=%H %gs').stdout.replace(/^.* ralph: restored\n/gm, ''),
    stash: git('stash', 'show', '-p'),
    staged: git('diff', '--cached'),
    status: git('status', '--porcelain'),
    settings: git('config', '--local', '--list'),
    hooks: readdirSync(repo.path('.git/hooks')),
  };
}

const ENTRIES = [
  ...['HEAD', 'config', 'index', 'packed-refs', 'hooks', 'info', 'hooks/pre-commit', 'info/exclude'],
  ...['refs', 'refs/heads', 'refs/heads/main', 'refs/tags', 'refs/stash'],
  ...['logs', 'logs/HEAD', 'logs/refs', 'logs/refs/heads', 'logs/refs/heads/main', 'logs/refs/stash'],
  ...[
    'objects',
    'objects/pack',
    'objects/info',
    'objects/info/commit-graph',
    'objects/pack/multi-pack-index',
  ],
];

const WRECKS: readonly (readonly [string, (path: string, away: string) => void])[] = [
  ['removed', (path) => rmSync(path, { recursive: true })],
  ['moved away', (path, away) => renameSync(path, away)],
  [
    'emptied',
    (path) => {
      if (lstatSync(path).isFile()) return truncateSync(path);
      rmSync(path, { recursive: true });
      mkdirSync(path);
    },
  ],
  [
    'full of other bytes',
    (path) => {
      rmSync(path, { recursive: true });
      writeFileSync(path, 'no more what it was\n');
    },
  ],
  [
    'a folder with something in it',
    (path) => {
      rmSync(path, { recursive: true });
      mkdirSync(path);
      writeFileSync(join(path, 'something'), 'else\n');
    },
  ],
  [
    'a link to nothing',
    (path) => {
      rmSync(path, { recursive: true });
      symlinkSync('/nowhere/at/all', path);
    },
  ],
  [
    'a link to a copy that goes away',
    (path, away) => {
      cpSync(path, away, { recursive: true });
      rmSync(path, { recursive: true });
      symlinkSync(away, path);
    },
  ],
  [
    'a pipe',
    (path) => {
      rmSync(path, { recursive: true });
      execFileSync('mkfifo', [path]);
    },
  ],
];

async function protect(repo: TestRepository) {
  const located = await locate(repo.root);
  if (!located.ok) throw new Error(located.message);
  const protection = gitProtection(located.tree, temporaryFolder());
  const before = await protection.capture();
  const place = { setAside: temporaryFolder(), shownAs: 'aside', keepUnder: 'refs/ralph/kept/1' };
  return () => protection.restore(before, place);
}

describe.each(ENTRIES)('.git/%s', (entry) => {
  it.each(WRECKS)('%s', async (_, wreck) => {
    const repo = usedRepository();
    const was = asked(repo);
    const restore = await protect(repo);
    const away = join(temporaryFolder(), 'away');
    wreck(repo.path(`.git/${entry}`), away);
    await restore();
    rmSync(away, { recursive: true, force: true });
    expect(asked(repo)).toEqual(was);
    expect(await restore()).toEqual([]);
  });
});

describe('every file of .git', () => {
  it.each(WRECKS)('%s', async (_, wreck) => {
    const repo = usedRepository();
    const was = asked(repo);
    const restore = await protect(repo);
    const away = temporaryFolder();
    const files = readdirSync(repo.path('.git'), { recursive: true, encoding: 'utf8' })
      .map((name) => repo.path(join('.git', name)))
      .filter((path) => lstatSync(path).isFile());
    for (const [at, path] of files.entries()) wreck(path, join(away, `${at}`));
    await restore();
    rmSync(away, { recursive: true, force: true });
    expect(asked(repo)).toEqual(was);
    expect(await restore()).toEqual([]);
  });

  it.each(['--no-split-index', '--split-index'])(
    'and all folders, removed, with an index %s',
    async (kind) => {
      const repo = usedRepository();
      repo.git('update-index', kind);
      const was = asked(repo);
      const restore = await protect(repo);
      rmSync(repo.path('.git'), { recursive: true });
      await restore();
      expect(asked(repo)).toEqual(was);
    },
  );
});
