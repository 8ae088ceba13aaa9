import { chmodSync, renameSync, symlinkSync, utimesSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Change } from '../../../src/domain/change-set.ts';
import { openTestGit } from '../../helpers/open-test-git.ts';
import { makeRepository, type TestRepository } from '../../helpers/repository.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`);
const FILES = { 'a.txt': numbered(20).join(''), 'b.txt': 'two\n', 'c.bin': 'x\0y', 'run.sh': 'echo\n' };

async function changesOf(repo: TestRepository, act: () => void) {
  const git = await openTestGit(repo.root);
  const before = await git.snapshot();
  act();
  const after = await git.snapshot();
  return { git, before, after, set: await git.diff(before, after) };
}

const base: Change = {
  path: '',
  oldPath: null,
  kind: 'modified',
  oldMode: '100644',
  newMode: '100644',
  binary: false,
  linesAdded: 0,
  linesRemoved: 0,
  hunks: [],
};

it('reports lines and hunks as in a unified diff without context', async () => {
  const repo = makeRepository(FILES);
  const lines = numbered(20);
  lines[1] = 'changed\n';
  lines.splice(9, 2);
  lines.push('@@ -1 +1 @@\n', 'diff --git a/x b/x\n', '+++ more\n');
  const { set } = await changesOf(repo, () => repo.write('a.txt', lines.join('')));
  expect(set.hunksOmitted).toBe(false);
  expect(set.changes).toEqual([
    {
      ...base,
      path: 'a.txt',
      linesAdded: 4,
      linesRemoved: 3,
      hunks: [
        { oldStart: 2, oldLines: 1, newStart: 2, newLines: 1 },
        { oldStart: 10, oldLines: 2, newStart: 9, newLines: 0 },
        { oldStart: 20, oldLines: 0, newStart: 19, newLines: 3 },
      ],
    },
  ]);
});

it('reports each kind of change', async () => {
  const repo = makeRepository(FILES);
  const { set } = await changesOf(repo, () => {
    renameSync(repo.path('a.txt'), repo.path('moved.txt'));
    repo.write('c.bin', 'x\0z');
    chmodSync(repo.path('run.sh'), 0o755);
    repo.remove('b.txt');
    symlinkSync('run.sh', repo.path('b.txt'));
    repo.write('new.txt', 'no newline at the end');
    repo.write('empty', '');
  });
  const added = { kind: 'added', oldMode: null } as const;
  expect(set.changes).toEqual([
    {
      ...base,
      path: 'b.txt',
      kind: 'type_changed',
      newMode: '120000',
      linesAdded: 1,
      linesRemoved: 1,
      hunks: [
        { oldStart: 1, oldLines: 1, newStart: 0, newLines: 0 },
        { oldStart: 0, oldLines: 0, newStart: 1, newLines: 1 },
      ],
    },
    { ...base, path: 'c.bin', binary: true },
    { ...base, ...added, path: 'empty' },
    { ...base, path: 'moved.txt', oldPath: 'a.txt', kind: 'renamed' },
    {
      ...base,
      ...added,
      path: 'new.txt',
      linesAdded: 1,
      hunks: [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 1 }],
    },
    { ...base, path: 'run.sh', kind: 'mode_changed', newMode: '100755' },
  ]);
});

it('finds a rename with an edit', async () => {
  const repo = makeRepository(FILES);
  const { set } = await changesOf(repo, () => {
    repo.remove('a.txt');
    repo.write('z.txt', `${numbered(19).join('')}other\n`);
  });
  expect(set.changes).toMatchObject([{ kind: 'renamed', oldPath: 'a.txt', path: 'z.txt', linesAdded: 1 }]);
});

it("is not misled by an edit that the user's git overlooks", async () => {
  const repo = makeRepository(FILES);
  repo.git('config', 'core.trustctime', 'false');
  repo.git('config', 'core.checkStat', 'minimal');
  utimesSync(repo.path('b.txt'), 1e9, 1e9);
  repo.git('add', 'b.txt');
  const { git, set, before, after } = await changesOf(repo, () => {
    repo.write('b.txt', 'owt\n');
    utimesSync(repo.path('b.txt'), 1e9, 1e9);
    expect(repo.git('status', '--porcelain')).toBe('');
  });
  expect(set.hunksOmitted).toBe(false);
  expect(set.changes).toMatchObject([{ path: 'b.txt', linesAdded: 1, linesRemoved: 1 }]);
  expect((await git.diffWithPatch(before, after, 10_000)).patch).toContain('-two\n+owt\n');
});

it('is not misled by diff settings of the repository', async () => {
  const repo = makeRepository({ ...FILES, '.gitattributes': '*.txt diff=odd\n' });
  repo.git('config', 'diff.odd.textconv', 'true');
  repo.git('config', 'diff.odd.command', 'true');
  repo.git('config', 'diff.external', 'true');
  repo.git('config', 'diff.noprefix', 'true');
  repo.git('config', 'diff.orderFile', '.gone');
  repo.git('config', 'color.ui', 'always');
  const { set } = await changesOf(repo, () => repo.write('b.txt', 'new\n'));
  expect(set.changes).toMatchObject([{ path: 'b.txt', linesAdded: 1, hunks: [{ newStart: 1 }] }]);
});

it('leaves hunks out of a change that is too large, and nothing else', async () => {
  const repo = makeRepository(FILES);
  const { set } = await changesOf(repo, () => {
    repo.write('b.txt', 'new\n');
    repo.write('big.txt', `${'x'.repeat(99)}\n`.repeat(60_000));
  });
  expect(set.hunksOmitted).toBe(true);
  expect(set.changes.map(({ path, linesAdded, hunks }) => [path, linesAdded, hunks.length])).toEqual([
    ['b.txt', 1, 0],
    ['big.txt', 60_000, 0],
  ]);
});

it('lists the commits of the attempt, newest first', async () => {
  const repo = makeRepository(FILES);
  const { set } = await changesOf(repo, () => {
    repo.write('b.txt', '1\n');
    repo.commitAll('first: "quoted" ünï\n\nbody');
    repo.write('b.txt', '2\n');
    repo.commitAll('second');
  });
  expect(set.commits.map((commit) => commit.subject)).toEqual(['second', 'first: "quoted" ünï']);
  expect(set.commits[0]?.id).toBe(repo.git('rev-parse', 'HEAD'));
});

it('an equal tree has no changes', async () => {
  const repo = makeRepository(FILES);
  const { set, before, after } = await changesOf(repo, () => undefined);
  expect(set).toEqual({ before, after, changes: [], commits: [], hunksOmitted: false });
});

it('cuts a patch at the end of a line', async () => {
  const repo = makeRepository(FILES);
  const { git, before, after } = await changesOf(repo, () => repo.write('b.txt', 'ü\n'.repeat(1000)));
  const { patch } = await git.diffWithPatch(before, after, 500);
  expect(Buffer.byteLength(patch)).toBeLessThanOrEqual(500);
  expect(patch).toMatch(/^diff --git a\/b\.txt b\/b\.txt\n(.*\n)*\+ü\n$/);
  expect((await git.diffWithPatch(before, before, 500)).patch).toBe('');
});

it('names files in a patch as they are called, whatever the settings', async () => {
  const repo = makeRepository(FILES);
  repo.git('config', 'core.quotePath', 'true');
  const { git, before, after } = await changesOf(repo, () => repo.write('日本語/größe.txt', 'x\n'));
  const { patch } = await git.diffWithPatch(before, after, 500);
  expect(patch).toContain('diff --git a/日本語/größe.txt b/日本語/größe.txt\n');
  expect(patch).toContain('\n+++ b/日本語/größe.txt\n');
});

it('reports which paths differ from HEAD', async () => {
  const repo = makeRepository({ ...FILES, '.ralph/PRD.md': 'x\n' });
  renameSync(repo.path('a.txt'), repo.path('z.txt'));
  repo.write('new.txt', 'x\n');
  repo.write('b.txt', 'staged\n');
  repo.git('add', 'b.txt');
  const git = await openTestGit(repo.root);
  expect(await git.dirtyPaths(await git.snapshot())).toEqual(['a.txt', 'b.txt', 'new.txt', 'z.txt']);
});

it('reports what a snapshot holds at a path', async () => {
  const repo = makeRepository({
    'dir/three.txt': '1\n2\n3\n',
    'no-newline.txt': '1\n2',
    'empty.txt': '',
    'binary.dat': 'a\n\0b\n',
    ':colon': 'x\n',
    'new\nline': 'x\n',
    '*': 'x\n',
  });
  symlinkSync('dir/three.txt', repo.path('link'));
  repo.write(Buffer.from([0x63, 0xe9]).toString('latin1'), 'utf8 after all\n');
  const git = await openTestGit(repo.root);
  const snapshot = await git.snapshot();
  repo.remove('dir');
  const lines: [string, boolean, number | null][] = [
    ['dir/three.txt', true, 3],
    ['./dir//three.txt', true, 3],
    ['dir/../no-newline.txt', true, 2],
    ['empty.txt', true, 0],
    ['binary.dat', true, null],
    ['dir', true, null],
    ['dir/', true, null],
    ['link', true, null],
    [':colon', true, 1],
    ['new\nline', true, 1],
    ['*', true, 1],
    ['cé', true, 1],
    ['absent.txt', false, null],
    ['dir/three.txt/more', false, null],
    ['../outside', false, null],
    ['dir/../../outside', false, null],
    [`${repo.root}/dir/three.txt`, false, null],
    ['/etc/passwd', false, null],
    ['nul\0', false, null],
    ['', false, null],
    ['.', false, null],
  ];
  const facts = await git.fileFacts(
    snapshot,
    lines.map(([path]) => path),
  );
  expect(facts).toEqual(
    lines.map(([path, exists, count]) => ({ path, exists, ignored: false, lines: count })),
  );
  expect(await git.fileFacts(snapshot, [])).toEqual([]);
});

it('distinguishes what git ignores from what is not there', async () => {
  const repo = makeRepository({ '.gitignore': 'dist/\n.env\n', 'a.txt': 'x\n' });
  repo.write('dist/out.js', 'x\n');
  repo.write('.env', 'x\n');
  repo.write('.ralph/note', 'x\n');
  const git = await openTestGit(repo.root);
  const facts = await git.fileFacts(await git.snapshot(), [
    'dist/out.js',
    '.env',
    'a.txt',
    'gone.txt',
    '.ralph/note',
  ]);
  expect(facts.map(({ exists, ignored }) => [exists, ignored])).toEqual([
    [false, true],
    [false, true],
    [true, false],
    [false, false],
    [false, false],
  ]);
});

it("finds names that aren't UTF-8", async () => {
  const repo = makeRepository({ 'a.txt': 'x\n' });
  const oid = repo.git('hash-object', '-w', 'a.txt');
  const git = await openTestGit(repo.root);
  const { head } = await git.snapshot();
  const { spawnSync } = await import('node:child_process');
  const input = Buffer.from(`100644 blob ${oid}\tc\xe9\0`, 'latin1');
  const tree = spawnSync('git', ['mktree', '-z'], { cwd: repo.root, input }).stdout.toString().trim();
  const facts = await git.fileFacts({ tree, head, branch: null }, ['"c\\351"', 'a.txt']);
  expect(facts.map(({ exists, lines }) => [exists, lines])).toEqual([
    [true, 1],
    [false, null],
  ]);
});

it.each([
  ['nothing changed', () => undefined],
  ['a file changed', (repo: TestRepository) => repo.write('a.txt', 'other\n')],
  ['a file is gone', (repo: TestRepository) => repo.remove('b.txt')],
  [
    'all of it',
    (repo: TestRepository) => {
      repo.write('new/c.txt', 'new\n');
      repo.write('a.txt', 'other\n');
      repo.remove('b.txt');
    },
  ],
])('a snapshot that is taken meanwhile gives the same: %s', async (_, act) => {
  const repo = makeRepository(FILES);
  const git = await openTestGit(repo.root);
  const before = await git.snapshot();
  act(repo);
  const meanwhile = await git.diffWithPatch(before, 'now', 10_000);
  const after = await git.snapshot();
  expect(meanwhile.changes.after).toEqual(after);
  expect(meanwhile).toEqual(await git.diffWithPatch(before, after, 10_000));
});

const HIDDEN = 'const hidden = 1;\n';
const NUL = '/* \0 */\n';

it.each([
  ['an attribute', { '.gitattributes': '*.js -diff\n', 'a.js': HIDDEN }, 'a.js', false],
  ['the macro', { '.gitattributes': '* binary\n', 'a.js': HIDDEN }, 'a.js', false],
  ['one further down', { 'src/.gitattributes': 'a.* -diff\n', 'src/a.lock': HIDDEN }, 'src/a.lock', false],
  ['a driver', { '.gitattributes': '*.js diff=odd\n', 'a.js': HIDDEN }, 'a.js', false],
  ['a NUL in a source file', { 'src/A.Test.TS': NUL + HIDDEN }, 'src/A.Test.TS', false],
  ['a NUL in a file of that name', { 'sub/Makefile': NUL + HIDDEN }, 'sub/Makefile', false],
  ['a NUL elsewhere', { 'a.bin': NUL + HIDDEN }, 'a.bin', true],
  ['your own attributes', { '.git/info/attributes': '*.js -diff\n', 'a.js': HIDDEN }, 'a.js', true],
])('what is text is told by the content: %s', async (_, files, path, binary) => {
  const repo = makeRepository(FILES);
  repo.git('config', 'diff.odd.binary', 'true');
  if ('.git/info/attributes' in files) repo.write('.git/info/attributes', '*.js -diff\n');
  const git = await openTestGit(repo.root);
  const before = await git.snapshot();
  for (const [name, text] of Object.entries(files)) repo.write(name, text);
  const { changes, patch } = await git.diffWithPatch(before, 'now', 10_000);
  const change = changes.changes.find((one) => one.path === path);
  expect(change).toMatchObject({ binary, linesAdded: binary ? 0 : expect.any(Number) });
  expect(patch.includes('+const hidden = 1;')).toBe(!binary);
});
