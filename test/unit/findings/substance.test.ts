import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EMPTY_TASK } from 'ralph-task-lists/task';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Change, IdleChange } from '../../../src/domain/change-set.ts';
import { idleChanges, isAskedFor, namesOfIdle } from '../../../src/proof/findings/substance.ts';
import { makeRepository } from '../../helpers/repository.ts';

/** Folder in which git makes the unified diffs of these tests. */
let folder = '';
beforeAll(() => {
  folder = makeRepository({}).root;
});

function patchOf(path: string, before: string, after: string): string {
  for (const [side, text] of [
    ['a', before],
    ['b', after],
  ] as const) {
    const file = join(folder, side, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  try {
    return execFileSync('git', ['diff', '--no-index', '--no-color', join('a', path), join('b', path)], {
      cwd: folder,
    }).toString();
  } catch (error) {
    return String((error as { stdout: Buffer }).stdout);
  }
}

function change(path: string, patch: string, more: Partial<Change> = {}): Change {
  const count = (sign: string) =>
    patch.split('\n').filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3))).length;
  return {
    ...{
      path,
      oldPath: null,
      kind: 'modified',
      oldMode: '100644',
      newMode: '100644',
      binary: false,
      hunks: [],
    },
    ...{ linesAdded: count('+'), linesRemoved: count('-') },
    ...more,
  };
}

const JS = 'function f(a) {\n  return "a b" + a;\n}\n\nf(1);\n';

const idleOf = (set: Parameters<typeof idleChanges>[0], patch: string) =>
  idleChanges(set, patch, () => false);

describe('a change of white space', () => {
  it.each([
    ['a.js', JS, JS.replaceAll('\n', '\r\n')],
    ['a.js', JS, JS.replace('  return', '\treturn')],
    ['a.js', JS, JS.replace(' + ', '+')],
    ['a.js', JS, `${JS}\n\n`],
    ['a.js', JS, JS.trimEnd()],
    ['a.js', JS, JS.replace('f(1);', 'f( 1 ) ;   ')],
    ['a.js', JS, JS.replace('f(1);', 'f(\n  1\n);')],
    ['a.py', 'if x:\n    y()\n', 'if x:  \n\n    y()\r\n'],
    ['a.md', '# A\n\nsome words here\n', '# A\n\n\nsome  words\nhere\n'],
    ['Makefile', 'a:\n\tb\n', 'a:\n\tb  \n\n'],
  ])('in %s is found: %j → %j', (path, before, after) => {
    const patch = patchOf(path, before, after);
    expect(idleOf({ changes: [change(path, patch)] }, patch)).toEqual([{ path, why: 'white_space' }]);
  });

  it.each([
    ['a.js', JS, JS.replace('"a b"', '"ab"')],
    ['a.js', JS, JS.replace('"a b"', '"a  b"')],
    ['a.js', JS, JS.replace('return "a', 'return"a').replace('f(1)', 'f(2)')],
    ['a.js', 'let x = 1;\n', 'letx = 1;\n'],
    ['a.js', 'a();\nb();\n', 'b();\na();\n'],
    ['a.js', 'a();\nb();\n', 'a();\n'],
    ['a.py', 'if x:\n    y()\nz()\n', 'if x:\n    y()\n    z()\n'],
    ['a.yml', 'a:\n  b: 1\n', 'a:\nb: 1\n'],
    ['a.md', 'Helloworld\n', 'Hello world\n'],
    ['Makefile', 'a:\n        b\n', 'a:\n\tb\n'],
  ])('in %s is not found: %j → %j', (path, before, after) => {
    const patch = patchOf(path, before, after);
    expect(idleOf({ changes: [change(path, patch)] }, patch)).toEqual([]);
  });
});

describe('what gates write, too', () => {
  const isOutput = (path: string) => path === 'junit.xml';
  const reported = patchOfLater('junit.xml', '<a>1</a>\n', '<a>2</a>\n');
  const found: IdleChange = { path: 'junit.xml', why: 'output' };
  /** Of the report, and of another file that changed so. */
  const idleWith = (path: string, after: string) => {
    const [report, other] = [reported(), patchOf(path, JS, after)];
    const changes = [change('junit.xml', report), change(path, other)];
    return idleChanges({ changes }, report + other, isOutput);
  };

  it("isn't work, beside work and alone", () => {
    expect(idleWith('r.js', `${JS}f(2);\n`)).toEqual([found]);
    const report = reported();
    const alone = idleChanges({ changes: [change('junit.xml', report)] }, report, isOutput);
    expect(alone).toEqual([found]);
  });

  it('hides no white space', () => {
    expect(idleWith('w.js', `${JS}\n`)).toEqual([found, { path: 'w.js', why: 'white_space' }]);
  });

  it('is work where it is moved away', () => {
    const moved = change('junit.xml', '', { kind: 'renamed', oldPath: 'a.xml' });
    expect(idleChanges({ changes: [moved] }, '', isOutput)).toEqual([]);
  });
});

describe('a change set', () => {
  const white = patchOfLater('w.js', JS, `${JS}\n`);
  const real = patchOfLater('r.js', JS, `${JS}f(2);\n`);

  it('is idle only as a whole', () => {
    const [one, two] = [white(), real()];
    const changes = [change('w.js', one), change('r.js', two)];
    expect(idleOf({ changes }, one + two)).toEqual([]);
    expect(idleOf({ changes: [changes[0] as Change] }, one)).toHaveLength(1);
  });

  it('counts as work where the patch is cut off', () => {
    const patch = white();
    const changes = [change('w.js', patch), { ...change('x.js', ''), linesAdded: 7 }];
    expect(idleOf({ changes }, patch)).toEqual([]);
    const cut = patchOf('c.js', JS, JS.replaceAll('\n', '\r\n'));
    expect(idleOf({ changes: [change('c.js', cut)] }, cut.slice(0, cut.indexOf('+function')))).toEqual([]);
  });

  const link = { oldMode: '160000', newMode: '160000', linesAdded: 0, linesRemoved: 0 };
  it.each<[string, Change[], IdleChange['why'][]]>([
    ['modes', [change('a', '', { kind: 'mode_changed', newMode: '100755' })], ['mode']],
    ['a file that is new and empty', [change('a.js', '', { kind: 'added', oldMode: null })], ['empty']],
    ['a commit in a submodule', [change('sub', '', link), change('sub/a.js', '', { kind: 'added' })], []],
    ['a new submodule', [change('sub', '', { ...link, oldMode: null, kind: 'added' })], []],
    ['a marker', [change('x/__init__.py', '', { kind: 'added', oldMode: null })], []],
    ['a binary file', [change('a.png', '', { binary: true })], []],
    ['a renamed file', [change('b', '', { kind: 'renamed', oldPath: 'a' })], []],
    ['another kind of file', [change('b', '', { kind: 'type_changed', newMode: '120000' })], []],
    ['a link', [change('b', '', { kind: 'added', newMode: '120000' })], []],
    ['nothing', [], []],
  ])('of %s', (_what, changes, expected) => {
    expect(idleOf({ changes }, '').map(({ why }) => why)).toEqual(expected);
  });
});

function patchOfLater(...args: Parameters<typeof patchOf>): () => string {
  return () => patchOf(...args);
}

describe('is asked for', () => {
  it.each<[string, IdleChange['why'], boolean]>([
    ['Write the parser', 'white_space', false],
    ['Reformat the parser', 'white_space', true],
    ['Use tabs for indentation', 'white_space', true],
    ['Convert CRLF to LF', 'white_space', true],
    ['Write the parser', 'output', false],
    ['Let the tests write their report to a.js', 'output', true],
    ['Write the parser', 'mode', false],
    ['Make a.js executable', 'mode', true],
    ['chmod +x the scripts', 'mode', true],
    ['The scripts in tools/ can be started directly', 'mode', true],
    ['deploy.sh lacks the exec bit', 'mode', true],
    ['a.js runs without node in front of it', 'mode', true],
    ['Start the parser', 'mode', false],
    ['Write the parser', 'empty', false],
    ['Add an empty a.js', 'empty', true],
    ['Add a.js', 'empty', true],
  ])('%s: %s → %j', (title, why, expected) => {
    expect(isAskedFor({ ...EMPTY_TASK, id: 'T-1', title }, { path: 'src/a.js', why })).toBe(expected);
    expect(
      isAskedFor({ ...EMPTY_TASK, id: 'T-1', title: 'x', acceptance: [title] }, { path: 'src/a.js', why }),
    ).toBe(expected);
  });

  it.each<[string, string[] | null, boolean]>([
    ['Use the index.js of left in node_modules', null, false],
    ['Vendor left', ['node_modules/left/index.js'], true],
    ['Vendor left', ['src/a.js'], false],
  ])('a file in a folder that a tool fills: %s, expected in %j → %j', (title, expectedPaths, expected) => {
    const task = { ...EMPTY_TASK, id: 'T-1', title, expectedPaths };
    expect(isAskedFor(task, { path: 'node_modules/left/index.js', why: 'output' })).toBe(expected);
  });

  it('is said in words', () => {
    expect(
      namesOfIdle([
        { path: 'a', why: 'mode' },
        { path: 'b', why: 'white_space' },
        { path: 'c', why: 'mode' },
      ]),
    ).toBe('file modes and white space');
  });
});
