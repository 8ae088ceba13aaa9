import { expect, it } from 'vitest';
import type { Change } from '../../../src/domain/change-set.ts';
import { splitChanges, steeringIn } from '../../../src/proof/shown/index.ts';

const change = (path: string, kind: Change['kind'] = 'modified', oldPath: string | null = null): Change => ({
  ...{ path, oldPath, kind, oldMode: '100644', newMode: '100644', binary: false },
  ...{ linesAdded: 1, linesRemoved: 1, hunks: [] },
});

it('parts a change into code, tests with their helpers, settings and documents', () => {
  const tests = ['test/a.test.ts', 'tests/conftest.py', 'features/a.feature', 'features/steps/sums.py'];
  const parts = splitChanges([
    change('src/a.ts'),
    change('src/messages.json'),
    change('README.md'),
    change('package.json'),
    change('package-lock.json'),
    ...tests.map((path) => change(path, 'added')),
  ]);
  expect(parts).toEqual({
    production: ['src/a.ts', 'src/messages.json'],
    locks: ['package-lock.json'],
    witnesses: ['package.json', 'package-lock.json', ...tests],
    tests,
    ...{ snapshots: [], data: [], settings: ['package.json'] },
    isDemandChanged: false,
  });
});

it('data of tests came with the work to show it, and is never taken back as a part of it', () => {
  const paths = [
    ...['tests/data/valid/a.toml', 'test/a.json', 'src/testdata/a.txt', 'fixtures/a.md', 'test/menu.txt'],
  ];
  const parts = splitChanges([
    change('src/a.py'),
    ...paths.map((path) => change(path)),
    change('tests/README.md'),
  ]);
  expect(parts).toMatchObject({ production: ['src/a.py'], witnesses: paths, tests: [], data: paths });
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

it.each([
  ['a loader of the tests', 'loader.mjs', '"test": "node --import ./loader.mjs --test"'],
  ['a plug-in of them', 'plug.py', 'python -m pytest -q -p plug'],
  ['what is required before them', 'prepare.cjs', 'mocha -r ./prepare.cjs'],
  ['a set-up of them', 'src/prepare.ts', "export default { test: { setupFiles: ['./src/prepare.ts'] } };"],
  [
    'what they get in place of a module',
    'src/clamp-fast.js',
    "alias: { './clamp.js': './src/clamp-fast.js' }",
  ],
  ['a limit in a file of its own', 'coverage.limit', 'min=$(cat coverage.limit)'],
  [
    'a list of what a script leaves out',
    'tools/known-errors.json',
    "readFileSync('tools/known-errors.json')",
  ],
])('%s is a setting', (_what, path, text) => {
  const commands = { texts: [text], scripts: new Set<string>() };
  expect(steeringIn([change(path)], commands)).toEqual([path]);
  expect(splitChanges([change(path)], [path])).toMatchObject({ production: [], settings: [path] });
});

it.each([
  ['the program that a gate runs', 'src/cli.js', '"test": "node src/cli.js --check"'],
  ['a library of the same tool', 'src/limits.js', "import { limits } from './src/limits.js'"],
  ['data that a generator reads', 'currencies.json', 'node tools/gen.cjs currencies.json --check'],
  ['what a script makes a folder for', 'src/sum.cjs', 'mkdir -p src; cp -r lib src/sum.cjs'],
  ['a limit that no gate names', 'src/limits.json', 'node --test'],
])('%s is code', (_what, path, text) => {
  const commands = { texts: [text], scripts: new Set(['src/cli.js']) };
  expect(steeringIn([change(path)], commands)).toEqual([]);
});
