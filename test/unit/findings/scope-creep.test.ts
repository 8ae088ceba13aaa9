import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import { type Attempt, detectFindings } from '../../../src/proof/findings/index.ts';
import { attempt, CONFIG_EDIT, changeSet } from './facts.ts';

function found(expectedPaths: string[] | null, paths: string[], rest: Partial<Attempt> = {}) {
  const task = { ...EMPTY_TASK, id: 'T1', title: 'Parser', expectedPaths };
  const all = detectFindings(attempt({ task, changes: changeSet(...paths), ...rest }));
  return all.find(({ type }) => type === 'scope_creep');
}

describe('work within its scope', () => {
  it.each<[string, string[] | null, string[]]>([
    ['no paths expected', null, ['anything.ts', 'else.ts']],
    ['an empty list', [], ['anything.ts']],
    ['the very file', ['src/a.ts'], ['src/a.ts']],
    ['a folder', ['src/parser'], ['src/parser/a.ts', 'src/parser/deep/b.ts']],
    ['a folder with a slash', ['src/parser/'], ['src/parser/a.ts']],
    ['the whole repository', ['./', '**'], ['a.ts', 'b/c.ts']],
    ['a glob', ['src/**/*.ts'], ['src/a.ts', 'src/x/b.ts']],
    ['a glob of a name', ['*.sql'], ['db/one.sql']],
    ['a bare name', ['parser.ts'], ['src/deep/parser.ts']],
    ['a hidden folder', ['.github/**'], ['.github/workflows/ci.yml']],
    ['a name with brackets', ['app/[id]/page.tsx'], ['app/[id]/page.tsx']],
    ['its test beside it', ['src/a.ts'], ['src/a.ts', 'src/a.test.ts']],
    ['its test elsewhere', ['src/a.ts'], ['src/a.ts', 'test/unit/a.test.ts', 'tests/test_a.py']],
    [
      'a fixture and a snapshot',
      ['src/a.ts'],
      ['src/a.ts', 'test/fixtures/x.json', 'src/__snapshots__/a.snap'],
    ],
    ['a lock file', ['src/**'], ['src/a.ts', 'package-lock.json']],
    ['a dependency', ['src/**'], ['src/a.ts', 'package.json', 'package-lock.json']],
    ['the change log and the docs', ['src/**'], ['src/a.ts', 'CHANGELOG.md', 'docs/guide.md', 'README.md']],
    ['texts for readers', ['src/**'], ['README.txt', 'docs/usage.txt', 'LICENSE.txt', 'CHANGES.txt']],
    ['nothing changed', ['src/**'], []],
    ['two files for two', ['src/a.ts', 'src/b.ts'], ['src/a.ts', 'src/b.ts']],
    [
      'two files, their tests and a note',
      ['src/a.ts', 'src/b.ts'],
      ['src/a.ts', 'src/b.ts', 'test/a.test.ts', 'test/b.test.ts', 'CHANGELOG.md', 'go.sum'],
    ],
    [
      'several tests of each listed file',
      ['src/a.ts', 'src/b.ts'],
      ['src/a.ts', 'src/b.ts', 'src/a.test.ts', 'test/a.spec.ts', 'tests/test_b.py', 'test/bTest.java'],
    ],
    ['many files in a folder', ['src', 'lib/x.ts'], Array.from({ length: 30 }, (_, n) => `src/f${n}.ts`)],
    [
      'many tests for one listed file',
      ['src/a.ts'],
      Array.from({ length: 9 }, (_, n) => `test/f${n}.test.ts`),
    ],
  ])('%s', (_, expected, paths) => {
    expect(found(expected, paths)).toBeUndefined();
  });

  it('is not left by what was tampered with and put back', () => {
    expect(found(['src/**'], ['src/a.ts', 'ralph.toml'], { tampering: [CONFIG_EDIT] })).toBeUndefined();
  });
});

describe('work that leaves its scope', () => {
  it.each<[string, string[], string[], string[]]>([
    ['another file', ['src/a.ts'], ['src/a.ts', 'src/b.ts'], ['src/b.ts']],
    ['a text that no reader looks for', ['src/**'], ['outside/a1.txt'], ['outside/a1.txt']],
    ['another folder', ['src/parser/**'], ['src/parser/a.ts', 'src/cli/x.ts'], ['src/cli/x.ts']],
    ['a folder that begins alike', ['src/parse'], ['src/parser.ts', 'src/parse/a.ts'], ['src/parser.ts']],
    ['a path that is taken away', ['src/**', '!src/legacy/**'], ['src/legacy/a.ts'], ['src/legacy/a.ts']],
    ['the manifest alone', ['src/**'], ['src/a.ts', 'package.json'], ['package.json']],
    ['tests, where a test is the task', ['test/a.test.ts'], ['test/b.test.ts'], ['test/b.test.ts']],
    ['docs, where docs are the task', ['docs/a.md'], ['docs/a.md', 'docs/b.md'], ['docs/b.md']],
    ['the pipeline', ['src/**'], ['.github/workflows/ci.yml'], ['.github/workflows/ci.yml']],
  ])('%s', (_, expected, paths, outside) => {
    expect(found(expected, paths)).toMatchObject({
      severity: 'medium',
      confidence: 0.8,
      impactFactor: 0.3,
      details: {
        outside,
        outside_count: outside.length,
        expected: expected.filter((path) => !path.startsWith('!')),
      },
    });
  });

  it('more than twice the files that it lists', () => {
    const tests = (count: number) => Array.from({ length: count }, (_, n) => `test/f${n}.test.ts`);
    const listed = ['src/a.ts', 'src/b.ts'];
    expect(found(listed, [...listed, ...tests(2)])).toBeUndefined();
    const one = found(listed, [...listed, ...tests(3)]);
    expect(one?.summary).toBe(
      'The attempt went beyond its task: it changed 5 files, more than twice those it lists.',
    );
    expect(one?.details).toMatchObject({ outside: [], changed: 5 });
  });

  it('names the first paths and counts all', () => {
    const paths = Array.from({ length: 30 }, (_, n) => `lib/f${n}.ts`);
    const one = found(['src/**'], paths);
    expect(one?.summary).toContain('30 files outside of its paths: lib/f0.ts');
    expect(one?.summary).toContain('and 25 more');
    expect(one?.details).toMatchObject({ outside: paths.slice(0, 20), outside_count: 30 });
  });
});
