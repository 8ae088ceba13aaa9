import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Git } from '../../../src/domain/ports.ts';
import { withSubmodule } from '../../helpers/exactness/scenario.ts';
import { contentsOf, lostBytes, personsState } from '../../helpers/kept-bytes.ts';
import { openTestGit } from '../../helpers/open-test-git.ts';
import {
  makeRepository,
  repositoryAt,
  type TestRepository,
  temporaryFolder,
} from '../../helpers/repository.ts';

type Situation = {
  readonly name: string;
  readonly files?: Readonly<Record<string, string>> | null;
  /** Before the tree that is put back. */
  readonly before?: (repo: TestRepository) => void;
  readonly place?: (repo: TestRepository) => TestRepository;
  /** What is taken back. */
  readonly act: (repo: TestRepository) => void;
  /** Ignored files that are not in the way, and stay as they are. */
  readonly stays?: readonly string[];
  /** Why a snapshot made from nothing names the same files by another tree. */
  readonly namedOtherwise?: string;
};

const START = {
  'a.txt': 'one\n',
  'b.txt': 'two\n',
  'dir/c.txt': 'three\n',
  '.gitignore': 'ignored/\n*.log\nout\nbuild/\n',
};

const odd = (repo: TestRepository, content: string) => {
  repo.write('new\nline', content);
  repo.write('"quoted"', content);
  repo.write('tab\there', content);
  writeFileSync(Buffer.concat([Buffer.from(`${repo.root}/caf`), Buffer.from([0xe9, 0xff])]), content);
};

const SITUATIONS: readonly Situation[] = [
  {
    name: 'staged, unstaged and untracked changes',
    before: (r) => {
      r.write('a.txt', 'dirty\n');
      r.write('staged.txt', 'staged\n');
      r.git('add', 'staged.txt');
      r.write('untracked.txt', 'person\n');
    },
    act: (r) => {
      r.write('a.txt', 'agent\n');
      r.write('b.txt', 'agent too\n');
      r.write('staged.txt', 'agent three\n');
      r.git('add', 'b.txt');
      r.write('deep/er/new.txt', 'new\n');
      r.remove('untracked.txt');
    },
  },
  {
    name: "the agent's own commits and a stash",
    act: (r) => {
      r.write('a.txt', 'committed\n');
      r.commitAll('agent');
      r.write('b.txt', 'stashed\n');
      r.git('stash', '-q');
      r.write('b.txt', 'on top\n');
    },
  },
  {
    name: 'ignored files that are not in the way',
    before: (r) => r.write('ignored/old', 'old\n'),
    act: (r) => {
      r.write('ignored/new', 'new\n');
      r.write('debug.log', 'log\n');
      r.write('dir/inner.log', 'log\n');
      r.remove('dir/c.txt');
      r.write('added/x.txt', 'x\n');
      r.write('added/y.log', 'y\n');
    },
    stays: ['ignored/old', 'ignored/new', 'debug.log', 'dir/inner.log', 'added/y.log'],
  },
  {
    name: 'an ignored folder where a file was',
    before: (r) => r.write('build', 'a file, so not ignored\n'),
    act: (r) => {
      r.remove('build');
      r.write('build/deep/artefact', 'precious\n');
      r.write('build/run', '#!/bin/sh\n', 0o755);
      symlinkSync('deep/artefact', r.path('build/link'));
    },
  },
  {
    name: 'an ignored file where a file and where a folder was',
    files: { ...START, '.gitignore': 'x\n' },
    before: (r) => {
      r.write('lib/x', 'tracked all the same\n');
      r.git('add', '-f', 'lib/x');
      r.git('commit', '-q', '-m', 'x');
      r.write('.gitignore', 'lib/x\n');
      r.write('x/y', 'in a folder\n');
    },
    act: (r) => {
      r.git('rm', '-q', '--cached', 'lib/x');
      r.write('lib/x', 'ignored\n');
      r.remove('x');
      r.write('.gitignore', 'x\n');
      r.write('x', 'ignored too\n');
    },
    namedOtherwise: "lib/x is ignored, and the user's index no longer has it",
  },
  {
    name: 'a nested repository where a file was',
    before: (r) => r.write('out.d', 'file\n'),
    act: (r) => {
      r.remove('out.d');
      r.write('out.d/x.txt', 'x\n');
      repositoryAt(r.path('out.d')).git('init', '-q', '--template=');
      repositoryAt(r.path('out.d')).commitAll('inner');
    },
  },
  {
    name: 'a rename over an untracked file',
    before: (r) => r.write('notes.txt', 'of the user\n'),
    act: (r) => renameSync(r.path('a.txt'), r.path('notes.txt')),
  },
  {
    name: 'file to folder and folder to file',
    act: (r) => {
      r.remove('a.txt');
      r.write('a.txt/inside', 'x\n');
      r.remove('dir');
      r.write('dir', 'now a file\n');
    },
  },
  {
    name: 'symlinks, files and folders in place of one another',
    before: (r) => {
      symlinkSync('a.txt', r.path('link'));
      symlinkSync('dir', r.path('to-folder'));
      symlinkSync('b.txt', r.path('to-file'));
      symlinkSync('nowhere', r.path('dangling'));
    },
    act: (r) => {
      for (const name of ['link', 'to-folder', 'to-file', 'b.txt', 'dir']) r.remove(name);
      symlinkSync('b.txt', r.path('link'));
      r.write('to-folder/x', 'x\n');
      r.write('to-file', 'file\n');
      symlinkSync('a.txt', r.path('b.txt'));
      symlinkSync('to-folder', r.path('dir'));
    },
  },
  {
    name: 'modes',
    before: (r) => r.write('run.sh', 'x\n', 0o755),
    act: (r) => {
      chmodSync(r.path('run.sh'), 0o644);
      chmodSync(r.path('a.txt'), 0o755);
    },
  },
  {
    name: 'a deleted folder, an emptied one, and new empty ones',
    before: (r) => r.write('deep/er/est/x', 'x\n'),
    act: (r) => {
      r.remove('deep');
      r.remove('dir/c.txt');
      r.write('made/by/agent', 'x\n');
      mkdirSync(r.path('made/by/empty/empty'), { recursive: true });
    },
  },
  {
    name: 'names with newlines, quotes and bytes that are no UTF-8',
    before: (r) => odd(r, 'before\n'),
    act: (r) => {
      odd(r, 'after\n');
      mkdirSync(Buffer.concat([Buffer.from(`${r.root}/d`), Buffer.from([0xfe])]));
      writeFileSync(
        Buffer.concat([Buffer.from(`${r.root}/d`), Buffer.from([0xfe]), Buffer.from('/\n')]),
        'x',
      );
    },
  },
  {
    name: 'no commit yet',
    files: null,
    before: (r) => r.write('a.txt', 'one\n'),
    act: (r) => {
      r.write('a.txt', 'two\n');
      r.write('b.txt', 'x\n');
    },
  },
  {
    name: 'nothing before the first commit, and a commit since',
    files: null,
    act: (r) => {
      r.write('a.txt', 'two\n');
      r.commitAll('agent');
    },
  },
  {
    name: 'a linked worktree',
    place: (r) => {
      const linked = join(temporaryFolder(), 'linked');
      r.git('worktree', 'add', '-q', '-b', 'linked', linked);
      return repositoryAt(linked);
    },
    act: (r) => {
      r.write('a.txt', 'linked\n');
      r.write('new.txt', 'x\n');
      r.commitAll('in the linked one');
      r.remove('b.txt');
    },
  },
  {
    name: 'line endings that git stores in another way',
    before: (r) => {
      r.git('config', 'core.autocrlf', 'true');
      r.write('crlf.txt', 'one\r\ntwo\r\n');
    },
    act: (r) => {
      r.write('crlf.txt', 'one\r\nmixed\ntwo\r\n');
      r.write('more.txt', 'mixed\r\nlines\n');
    },
  },
  {
    name: 'the attributes of what is put back decide, not those of now',
    before: (r) => {
      r.write('.gitattributes', '*.txt eol=crlf\n');
      r.write('a.txt', 'one\r\n');
      r.write('crlf.txt', 'x\r\n');
    },
    act: (r) => {
      r.write('.gitattributes', '*.txt eol=lf\n');
      r.write('a.txt', 'lf\n');
      r.write('crlf.txt', 'lf\n');
    },
  },
];

/** The kept checkpoint that a restore of this tree made; the outcome has to be good. */
async function putBack(git: Git, tree: string) {
  const kept = await git.keepForRestore(tree, 'before the test');
  const outcome = await git.restore(tree, kept);
  if (outcome.kind === 'failed') throw new Error(outcome.reason);
  return { kept, outcome };
}

describe('putting a tree back', () => {
  it.each(SITUATIONS)('$name', async (situation) => {
    const origin = makeRepository(situation.files === undefined ? START : situation.files);
    const repo = situation.place?.(origin) ?? origin;
    situation.before?.(repo);
    const git = await openTestGit(repo.root);
    const target = await git.snapshot();
    await git.checkpoint('r', 1, target);
    const wanted = contentsOf(repo.root);
    situation.act(repo);
    const bytes = contentsOf(repo.root);
    const person = personsState(repo.root);

    const kept = await git.keepForRestore(target.tree, 'before the test');
    expect(contentsOf(repo.root), 'keeping changes nothing').toEqual(bytes);
    expect(personsState(repo.root)).toEqual(person);
    const outcome = await git.restore(target.tree, kept);
    expect(outcome).toMatchObject({ kind: 'restored', alsoKept: null });

    const fresh = await (await openTestGit(repo.root)).snapshot();
    if (situation.namedOtherwise === undefined) expect(fresh.tree).toBe(target.tree);
    const now = contentsOf(repo.root);
    const stays = new Set(situation.stays ?? []);
    for (const path of stays) expect(now.get(path), path).toBe(bytes.get(path));
    const rest = (files: Map<string, string>) => [...files].filter(([path]) => !stays.has(path)).sort();
    expect(rest(now)).toEqual(rest(wanted));
    expect(personsState(repo.root)).toEqual(person);
    expect(lostBytes(repo.root, bytes)).toEqual([]);
    expect(readdirSync(join(repo.git('rev-parse', '--absolute-git-dir'), 'ralph')).join()).not.toContain(
      'restore-',
    );
  });

  it.each(SITUATIONS)('and back again: $name', async (situation) => {
    const origin = makeRepository(situation.files === undefined ? START : situation.files);
    const repo = situation.place?.(origin) ?? origin;
    situation.before?.(repo);
    const git = await openTestGit(repo.root);
    const target = await git.snapshot();
    situation.act(repo);
    const bytes = contentsOf(repo.root);
    const { kept } = await putBack(git, target.tree);
    const middle = contentsOf(repo.root);
    await putBack(await openTestGit(repo.root), kept.snapshot.tree);
    expect(lostBytes(repo.root, bytes)).toEqual([]);
    expect(lostBytes(repo.root, middle)).toEqual([]);
  });
});

it('removes the folders that it emptied, with empty ones in them, and no other empty folder', async () => {
  const repo = makeRepository(START);
  mkdirSync(repo.path('of-the-person'));
  const git = await openTestGit(repo.root);
  const target = await git.snapshot();
  repo.write('made/by/agent', 'x\n');
  mkdirSync(repo.path('made/empty/empty'), { recursive: true });
  repo.write('mixed/x', 'x\n');
  repo.write('mixed/y.log', 'ignored\n');
  await putBack(git, target.tree);
  expect(readdirSync(repo.root).sort()).toEqual(
    ['.git', '.gitignore', 'a.txt', 'b.txt', 'dir', 'mixed', 'of-the-person'].sort(),
  );
});

it('takes away a symlink that stands for a folder, and writes nothing through it', async () => {
  const outside = temporaryFolder();
  writeFileSync(join(outside, 'c.txt'), 'outside\n');
  const repo = makeRepository(START);
  const git = await openTestGit(repo.root);
  const target = await git.snapshot();
  repo.remove('dir');
  symlinkSync(outside, repo.path('dir'));
  await putBack(git, target.tree);
  expect(lstatSync(repo.path('dir')).isDirectory()).toBe(true);
  expect(repo.read('dir/c.txt')).toBe('three\n');
  expect(readFileSync(join(outside, 'c.txt'), 'utf8')).toBe('outside\n');
  expect(readdirSync(outside)).toEqual(['c.txt']);
});

it('does not follow a symlink that takes the place of a folder in the same moment', async () => {
  const outside = temporaryFolder();
  for (const name of ['c.txt', 'new.txt', 'd.txt']) writeFileSync(join(outside, name), 'outside\n');
  const repo = makeRepository({ ...START, 'dir/d.txt': 'd\n', '.gitattributes': 'b.txt filter=race\n' });
  const git = await openTestGit(repo.root);
  const target = await git.snapshot();
  for (const name of ['b.txt', 'dir/d.txt', 'dir/new.txt']) repo.write(name, 'agent\n');
  const bytes = contentsOf(repo.root);
  const dir = repo.path('dir');
  const moved = join(temporaryFolder(), 'moved');
  repo.git(
    'config',
    'filter.race.smudge',
    `test -e '${moved}' || { mv '${dir}' '${moved}'; ln -s '${outside}' '${dir}'; }; cat`,
  );
  const { outcome } = await putBack(git, target.tree);
  expect(outcome).toMatchObject({ snapshot: { tree: target.tree } });
  expect(readdirSync(outside).map((name) => readFileSync(join(outside, name), 'utf8'))).toEqual(
    Array.from({ length: 3 }, () => 'outside\n'),
  );
  expect(lostBytes(repo.root, bytes)).toEqual([]);
});

it('keeps what was written between keeping and putting back', async () => {
  const repo = makeRepository(START);
  const git = await openTestGit(repo.root);
  const target = await git.snapshot();
  repo.write('a.txt', 'agent\n');
  const kept = await git.keepForRestore(target.tree, 'before');
  repo.write('a.txt', 'yours\n');
  repo.write('late.txt', 'late\n');
  const bytes = contentsOf(repo.root);
  const outcome = await git.restore(target.tree, kept);
  expect(outcome).toMatchObject({ kind: 'restored', alsoKept: 'kept/2', snapshot: { tree: target.tree } });
  expect(repo.git('show', 'refs/ralph/checkpoints/kept/2:late.txt')).toBe('late');
  expect(repo.git('show', 'refs/ralph/checkpoints/kept/2:a.txt')).toBe('yours');
  expect(lostBytes(repo.root, bytes)).toEqual([]);
});

it('takes away what is ignored only by what is taken back, and keeps it', async () => {
  const repo = makeRepository(START);
  const git = await openTestGit(repo.root);
  const target = await git.snapshot();
  repo.write('.gitignore', `${START['.gitignore']}hidden/\n`);
  repo.write('hidden/x', 'hidden\n');
  repo.write('ignored/y', 'stays\n');
  const bytes = contentsOf(repo.root);
  const { outcome } = await putBack(git, target.tree);
  expect(outcome).toMatchObject({ snapshot: { tree: target.tree }, alsoKept: 'kept/2' });
  expect(repo.exists('hidden')).toBe(false);
  expect(repo.read('ignored/y')).toBe('stays\n');
  expect(lostBytes(repo.root, bytes)).toEqual([]);
});

it('keeps what is written while the new content is made ready', async () => {
  const repo = makeRepository({ ...START, '.gitattributes': 'b.txt filter=race\n' });
  // A filter of git runs behind the last look and before the first change.
  const script = `if test ! -e '${repo.path('.git/raced')}'; then touch '${repo.path('.git/raced')}'; echo raced > '${repo.path('a.txt')}'; echo new > '${repo.path('late.txt')}'; fi; cat`;
  repo.git('config', 'filter.race.smudge', script);
  const git = await openTestGit(repo.root);
  const target = await git.snapshot();
  repo.write('a.txt', 'agent\n');
  repo.write('b.txt', 'agent\n');
  const kept = await git.keepForRestore(target.tree, 'before');
  const outcome = await git.restore(target.tree, kept);
  expect(outcome).toMatchObject({ kind: 'restored', snapshot: { tree: target.tree } });
  expect(repo.exists('late.txt')).toBe(false);
  expect(outcome.kind === 'restored' && outcome.alsoKept).toMatch(/^kept\/\d+$/);
  const raced = new Map(
    ['raced\n', 'new\n'].map((text) => {
      writeFileSync(join(repo.root, '.git', 'text'), text);
      return [text, `100644 ${repo.git('hash-object', '.git/text')}`];
    }),
  );
  expect(lostBytes(repo.root, raced)).toEqual([]);
});

it('puts into a checkpoint what a killed process had taken away, and only then removes it', async () => {
  const repo = makeRepository(START);
  const git = await openTestGit(repo.root);
  const target = await git.snapshot();
  repo.write('a.txt', 'agent\n');
  // As left by process 4194305, a number that no system gives.
  const left = repo.path('.git/ralph/restore-4194305-1');
  mkdirSync(join(left, 'old'), { recursive: true });
  writeFileSync(join(left, 'old', '1'), 'only here\n');
  writeFileSync(join(left, 'held'), repo.git('hash-object', 'b.txt'));
  writeFileSync(join(left, 'old', '2'), 'two\n');
  writeFileSync(join(left, 'paths'), '1 a.txt\0' + '2 b.txt\0');
  await putBack(git, target.tree);
  expect(existsSync(left)).toBe(false);
  const notes = (await git.checkpoints()).map(({ id, note }) => `${id} ${note}`);
  expect(notes).toEqual([
    'kept/2 before the test',
    'kept/1 written while a rollback ran that was ended before its end',
  ]);
  expect(repo.git('show', 'refs/ralph/checkpoints/kept/1:a.txt')).toBe('only here');
});

it('works in a repository with SHA-256 ids', async () => {
  const repo = repositoryAt(temporaryFolder());
  repo.git('init', '-q', '-b', 'main', '--template=', '--object-format=sha256');
  repo.write('a.txt', 'one\n');
  const git = await openTestGit(repo.root);
  const target = await git.snapshot();
  repo.write('a.txt', 'two\n');
  repo.write('b.txt', 'new\n');
  const { kept, outcome } = await putBack(git, target.tree);
  expect(outcome).toMatchObject({
    snapshot: { tree: target.tree },
    paths: ['a.txt', 'b.txt'],
    alsoKept: null,
  });
  expect(repo.git('show', `refs/ralph/checkpoints/${kept.id}:b.txt`)).toBe('new');
});

it('puts back into a sparse checkout what is outside of it, and leaves the rest absent', async () => {
  const repo = makeRepository({ ...START, 'far/x.txt': 'x\n', 'far/y.txt': 'y\n' });
  repo.git('sparse-checkout', 'set', '--cone', 'dir');
  const git = await openTestGit(repo.root);
  const target = await git.snapshot();
  repo.write('dir/c.txt', 'agent\n');
  repo.write('far/x.txt', 'agent\n');
  const { outcome } = await putBack(git, target.tree);
  expect(outcome).toMatchObject({ snapshot: { tree: target.tree } });
  expect(repo.read('far/x.txt')).toBe('x\n');
  expect(repo.exists('far/y.txt')).toBe(false);
});

it('fails with a reason when a filter fails, before anything is touched', async () => {
  const repo = makeRepository({ ...START, '.gitattributes': 'b.txt filter=broken\n' });
  repo.git('config', 'filter.broken.clean', 'cat');
  repo.git('config', 'filter.broken.smudge', 'false');
  repo.git('config', 'filter.broken.required', 'true');
  const git = await openTestGit(repo.root);
  const target = await git.snapshot();
  repo.write('a.txt', 'agent\n');
  repo.write('b.txt', 'agent\n');
  const before = contentsOf(repo.root);
  const outcome = await git.restore(target.tree, await git.keepForRestore(target.tree, 'before'));
  expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringContaining('b.txt') });
  expect(contentsOf(repo.root)).toEqual(before);
});

it.each([
  [
    'changed files in it',
    (r: TestRepository) => r.write('sub/inner.txt', 'agent\n'),
    'git -C sub diff --stat',
  ],
  [
    'new commits in it',
    (r: TestRepository) => {
      r.write('sub/new.txt', 'agent\n');
      repositoryAt(r.path('sub')).commitAll('agent');
    },
    'git -C sub diff --stat',
  ],
  [
    'a file in its place',
    (r: TestRepository) => {
      r.remove('sub');
      r.write('sub', 'file\n');
    },
    'git submodule update --init sub',
  ],
  [
    'a plain folder in its place',
    (r: TestRepository) => r.remove('sub/.git'),
    'git submodule update --init sub',
  ],
  ['it removed', (r: TestRepository) => r.remove('sub'), 'git submodule update --init sub'],
])('refuses to go back over a submodule with %s, and changes nothing', async (_what, act, command) => {
  const repo = makeRepository(START);
  withSubmodule(repo);
  repo.write('sub/inner.txt', 'of the user\n');
  const git = await openTestGit(repo.root);
  const target = await git.snapshot();
  act(repo);
  repo.write('a.txt', 'agent\n');
  const bytes = contentsOf(repo.root);
  const refusal = new RegExp(`^The submodule sub changed since this checkpoint, .*${command}`);
  await expect(git.keepForRestore(target.tree, 'before')).rejects.toThrow(refusal);
  const outcome = await git.restore(target.tree, { id: 'kept/1', snapshot: target, raw: null });
  expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringContaining('submodule sub') });
  expect(contentsOf(repo.root)).toEqual(bytes);
  expect(await git.checkpoints()).toEqual([]);
});

it('refuses to go back over a submodule that was added, and says that it was not there', async () => {
  const repo = makeRepository(START);
  const git = await openTestGit(repo.root);
  const target = await git.snapshot();
  withSubmodule(repo);
  await expect(git.keepForRestore(target.tree, 'before')).rejects.toThrow(
    /^The submodule sub .*it wasn't there/,
  );
});

it('leaves a submodule alone that is as it was, however dirty', async () => {
  const repo = makeRepository(START);
  withSubmodule(repo);
  repo.write('sub/inner.txt', 'of the user\n');
  repo.write('sub/new.txt', 'new\n');
  const git = await openTestGit(repo.root);
  const target = await git.snapshot();
  const wanted = contentsOf(repo.root);
  repo.write('a.txt', 'agent\n');
  const { outcome } = await putBack(git, target.tree);
  expect(outcome).toMatchObject({ paths: ['a.txt'], snapshot: { tree: target.tree } });
  expect(contentsOf(repo.root)).toEqual(wanted);
});

it('fails with a reason when the tree is not there', async () => {
  const repo = makeRepository(START);
  const git = await openTestGit(repo.root);
  const kept = await git.keepForRestore((await git.snapshot()).tree, 'before');
  expect(await git.restore('1'.repeat(40), kept)).toMatchObject({
    kind: 'failed',
    reason: expect.stringContaining('ralph checkpoints list'),
  });
});

it('never touches .ralph, also from a subfolder, and also where the tree has a file of that name', async () => {
  const repo = makeRepository({ 'x/a.txt': 'one\n' });
  const git = await openTestGit(repo.path('x'));
  repo.write('.ralph/state', 'mine\n');
  const target = await git.snapshot();
  repo.write('x/a.txt', 'two\n');
  await putBack(git, target.tree);
  expect([repo.read('.ralph/state'), repo.read('x/a.txt')]).toEqual(['mine\n', 'one\n']);
  const blob = repo.git('hash-object', '-w', 'x/a.txt');
  repo.git('update-index', '--add', '--cacheinfo', `100644,${blob},.ralph`);
  repo.write('x/a.txt', 'three\n');
  await putBack(git, repo.git('write-tree'));
  expect([repo.read('.ralph/state'), repo.read('x/a.txt')]).toEqual(['mine\n', 'one\n']);
});
