import { chmodSync, copyFileSync, existsSync, lstatSync, rmSync, symlinkSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BytePath, pathBytes } from '../../../src/io/git/call/git-path.ts';
import { locate } from '../../../src/io/git/repository/locate.ts';
import { parseStatus } from '../../../src/io/git/snapshot/parse-status.ts';
import { openSmallChanges } from '../../../src/io/git/snapshot/small-change.ts';
import { pinView } from '../../../src/io/git/view/pin-view.ts';
import { isSettled } from '../../../src/io/store/files/plain-file.ts';
import { openTestGit } from '../../helpers/open-test-git.ts';
import { coldTree, makeRepository, type TestRepository, temporaryFolder } from '../../helpers/repository.ts';

const EMPTY = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const START = {
  'README.md': 'hello\n',
  'run.sh': '#!/bin/sh\n',
  'src/a.txt': 'a\n',
  'src/deep/er/b.txt': 'b\n',
  'src.txt': 'sorts beside the folder\n',
  'lib/only.txt': 'only\n',
};

async function smallChanges(repo: TestRepository) {
  const located = await locate(repo.root);
  if (!located.ok) throw new Error(located.message);
  const tree = await pinView(located.tree, temporaryFolder(), true);
  return openSmallChanges(tree);
}

/** What differs between the work tree and the last commit. */
function differing(repo: TestRepository) {
  const text = repo.git('status', '--porcelain=v2', '-z', '--no-renames', '--untracked-files=all');
  const { changed, untracked, deleted } = parseStatus(Buffer.from(text));
  const isFile = (path: BytePath) =>
    lstatSync(absolute(repo.root, path), { throwIfNoEntry: false })?.isDirectory() === false;
  return {
    add: [...changed.filter(isFile), ...untracked],
    remove: [...deleted, ...changed.filter((path) => !isFile(path))],
  };
}

function absolute(root: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), pathBytes(path)]);
}

function replace(repo: TestRepository, gone: string, path: string): void {
  repo.remove(gone);
  repo.write(path, 'another\n');
}

type Case = {
  readonly name: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Before the repository is opened. */
  readonly before?: (repo: TestRepository) => void;
  readonly act: (repo: TestRepository) => void;
};

const PLAIN: readonly Case[] = [
  { name: 'a file changes', act: (repo) => repo.write('src/a.txt', 'changed\n') },
  { name: 'a file comes, in a new folder', act: (repo) => repo.write('new/folder/x', 'x') },
  { name: 'a folder empties', act: (repo) => repo.remove('lib') },
  { name: 'all goes', act: (repo) => Object.keys(START).forEach(repo.remove) },
  { name: 'a file becomes a folder', act: (repo) => replace(repo, 'src.txt', 'src.txt/in') },
  { name: 'a folder becomes a file', act: (repo) => replace(repo, 'src', 'src') },
  { name: 'a program', act: (repo) => chmodSync(repo.path('run.sh'), 0o755) },
  {
    name: 'names that sort beside a folder',
    act: (repo) => {
      for (const name of ['src-', 'src0', 'src.']) repo.write(name, name);
    },
  },
  { name: 'names of other scripts', act: (repo) => repo.write('größe/日本 語.txt', 'ü\n') },
  { name: 'an empty file', act: (repo) => repo.write('empty', '') },
  { name: 'bytes that are no text', act: (repo) => repo.write('bin', '\0\u0001\uffff') },
  {
    name: 'attributes that convert nothing without a CR',
    files: { '.gitattributes': '* text=auto eol=lf\n*.png -diff\n' },
    act: (repo) => repo.write('src/a.txt', 'changed\n'),
  },
  {
    name: 'folders in a pack',
    before: (repo) => repo.git('gc', '-q'),
    act: (repo) => repo.write('src/deep/er/b.txt', 'changed\n'),
  },
  {
    name: 'ids of SHA-256',
    before: (repo) => {
      repo.remove('.git');
      repo.git('init', '-q', '-b', 'main', '--template=', '--object-format=sha256');
      repo.commitAll('start');
    },
    act: (repo) => repo.write('src/deep/er/b.txt', 'changed\n'),
  },
  {
    name: 'line ends are converted, and there is no CR',
    before: (repo) => repo.git('config', 'core.autocrlf', 'true'),
    act: (repo) => repo.write('src/a.txt', 'changed\n'),
  },
];

const FOR_GIT: readonly Case[] = [
  { name: 'a CR', act: (repo) => repo.write('src/a.txt', 'a\r\n') },
  { name: 'a link', act: (repo) => symlinkSync('README.md', repo.path('link')) },
  { name: 'a line break in a name', act: (repo) => repo.write('a\nb', '1') },
  {
    name: 'too many files',
    act: (repo) => Array.from({ length: 65 }, (_, at) => repo.write(`many/${at}`, '1')),
  },
  { name: 'too much', act: (repo) => repo.write('large', 'x'.repeat(1024 * 1024 + 1)) },
  { name: 'new attributes', act: (repo) => repo.write('.gitattributes', '*.txt text\n') },
  {
    name: 'an attribute in a folder that converts',
    files: { 'src/.gitattributes': '*.txt ident\n' },
    act: (repo) => repo.write('src/deep/er/b.txt', '$Id: 1 $\n'),
  },
  {
    name: 'a filter of a macro',
    files: { '.gitattributes': '[attr]big filter=big -text\n*.bin big\n' },
    act: (repo) => repo.write('src/x.bin', 'x'),
  },
  {
    name: 'attributes of the repository alone',
    before: (repo) => repo.write('.git/info/attributes', '*.txt ident\n'),
    act: (repo) => repo.write('src/x.md', 'x'),
  },
  {
    name: 'attributes that are a link',
    act: (repo) => {
      symlinkSync('README.md', repo.path('lib/.gitattributes'));
      repo.write('lib/x', 'x');
    },
  },
  ...[
    ['core.filemode', 'false'],
    ['core.sharedrepository', 'group'],
    ['core.ignorecase', 'true'],
    ['core.fsync', 'all'],
  ].map(([key = '', value = '']) => ({
    name: `${key}=${value}`,
    before: (repo: TestRepository) => repo.git('config', key, value),
    act: (repo: TestRepository) => repo.write('src/a.txt', 'changed\n'),
  })),
];

function opened({ files = {}, before = () => undefined }: Case): TestRepository {
  const repo = makeRepository({ ...START, ...files });
  before(repo);
  return repo;
}

describe('the tree of a small change', () => {
  it.each(PLAIN)('is what git makes of it: $name', async (one) => {
    const repo = opened(one);
    const store = await smallChanges(repo);
    const base = coldTree(repo.root);
    one.act(repo);
    const made = await store(base, differing(repo));
    expect(made).not.toBeNull();
    if (made !== EMPTY) expect(repo.git('fsck', '--strict', '--no-dangling', made ?? '')).toBe('');
    expect(made).toBe(coldTree(repo.root));
    expect(await store(base, differing(repo)), 'once more').toBe(made);
  });

  it.each(FOR_GIT)('is left to git: $name', async (one) => {
    const repo = opened(one);
    const store = await smallChanges(repo);
    const base = coldTree(repo.root);
    one.act(repo);
    expect(await store(base, differing(repo))).toBeNull();
  });

  it('is what git makes of it, whatever changes', async () => {
    const names = ['a', 'a.', 'a-', 'a0', 'a/b', 'a/b/c', 'a.b/c', 'b', 'ü/x', 'ü'];
    const repo = makeRepository(START);
    const store = await smallChanges(repo);
    const base = coldTree(repo.root);
    const files = fc.dictionary(fc.constantFrom(...names), fc.string({ maxLength: 3 }), { maxKeys: 6 });
    await fc.assert(
      fc.asyncProperty(files, async (wanted) => {
        repo.git('checkout', '-q', '-f', 'HEAD');
        repo.git('clean', '-q', '-f', '-d');
        const paths = Object.keys(wanted).filter(
          (one) => !Object.keys(wanted).some((other) => one.startsWith(`${other}/`)),
        );
        for (const path of paths) repo.write(path, (wanted[path] ?? '').replaceAll('\r', ''));
        expect(await store(base, differing(repo))).toBe(paths.length === 0 ? base : coldTree(repo.root));
      }),
      { numRuns: 40 },
    );
  });

  it('is stored again where git pruned a file of it', async () => {
    const repo = makeRepository(START);
    const store = await smallChanges(repo);
    const base = coldTree(repo.root);
    repo.write('src/a.txt', 'changed\n');
    // Until its time is older than a tick of the clock.
    while (!isSettled(lstatSync(repo.path('src/a.txt')).ctimeMs)) coldTree(repo.root);
    const made = await store(base, differing(repo));
    const file = repo.object(repo.git('hash-object', 'src/a.txt'));
    rmSync(file, { force: true });
    expect(await store(base, differing(repo))).toBe(made);
    expect(existsSync(file)).toBe(true);
  });

  it('is left to git where a folder is not what its id says', async () => {
    const repo = makeRepository(START);
    const store = await smallChanges(repo);
    const base = coldTree(repo.root);
    const src = repo.object(`${base}:src`);
    rmSync(src);
    copyFileSync(repo.object(`${base}:lib`), src);
    repo.write('src/a.txt', 'changed\n');
    expect(await store(base, { add: ['src/a.txt' as BytePath], remove: [] })).toBeNull();
  });
});

it('what is dirty is told without git as with it', async () => {
  const repo = makeRepository(START);
  const git = await openTestGit(repo.root);
  const steps: (() => void)[] = [
    () => repo.write('src/a.txt', 'one\n'),
    () => repo.write('new.txt', 'new\n'),
    () => repo.git('mv', 'README.md', 'docs.md'),
    () => repo.write('src/a.txt', START['src/a.txt']),
    () => repo.remove('lib'),
    () => repo.write('lib/only.txt', 'only\n'),
    () => chmodSync(repo.path('run.sh'), 0o755),
    () => repo.git('mv', 'docs.md', 'README.md'),
    () => repo.remove('new.txt'),
    () => repo.commitAll('all'),
    () => repo.write('after.txt', 'a\n'),
  ];
  let before = await git.snapshot();
  await git.dirtyPaths(before);
  for (const step of steps) {
    step();
    const after = (await git.diffWithPatch(before, 'now', 1_000_000)).changes.after;
    const fresh = await (await openTestGit(repo.root)).dirtyPaths(after);
    expect([...(await git.dirtyPaths(after))].sort()).toEqual([...fresh].sort());
    before = after;
  }
});
