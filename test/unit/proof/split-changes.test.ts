import { expect, it } from 'vitest';
import type { Change } from '../../../src/domain/change-set.ts';
import { splitChanges } from '../../../src/proof/shown/index.ts';

const change = (path: string, kind: Change['kind'] = 'modified', oldPath: string | null = null): Change => ({
  ...{ path, oldPath, kind, oldMode: '100644', newMode: '100644', binary: false },
  ...{ linesAdded: 1, linesRemoved: 1, hunks: [] },
});

it('parts a change into code, tests with their helpers, settings and documents', () => {
  const parts = splitChanges([
    change('src/a.ts'),
    change('src/messages.json'),
    change('README.md'),
    change('package.json'),
    change('package-lock.json'),
    change('test/a.test.ts', 'added'),
    change('tests/conftest.py', 'added'),
  ]);
  expect(parts).toEqual({
    production: ['src/a.ts', 'src/messages.json'],
    locks: ['package-lock.json'],
    witnesses: ['package.json', 'package-lock.json', 'test/a.test.ts', 'tests/conftest.py'],
    tests: ['test/a.test.ts', 'tests/conftest.py'],
    isDemandChanged: false,
  });
});

it('data of tests came with the work to show it, and is never taken back as a part of it', () => {
  const paths = ['tests/data/valid/a.toml', 'test/a.json', 'src/testdata/a.txt', 'fixtures/a.md'];
  const parts = splitChanges([
    change('src/a.py'),
    ...paths.map((path) => change(path)),
    change('tests/README.md'),
  ]);
  expect(parts).toMatchObject({ production: ['src/a.py'], witnesses: paths, tests: [] });
});

it.each([
  ['changed', change('test/a.test.ts')],
  ['deleted', change('test/a.test.ts', 'deleted')],
  ['renamed', change('test/b.test.ts', 'renamed', 'test/a.test.ts')],
  ['moved out of collection', change('attic/a.ts', 'renamed', 'test/a.test.ts')],
])('a test of before that is %s changes what is demanded', (_what, one) => {
  const { tests, isDemandChanged } = splitChanges([one]);
  expect(tests).toContain('test/a.test.ts');
  expect(isDemandChanged).toBe(true);
});
