import { describe, expect, it } from 'vitest';
import {
  foldersNamed,
  isGenerated,
  isProduction,
  mayRunInTests,
  type TestedElsewhere,
  testedElsewhereText,
  unloadable,
} from '../../../src/proof/gates/index.ts';

const ONE = [{ name: 'test', box: true }];

it.each<[TestedElsewhere, string]>([
  [
    { gates: ONE, kind: 'imports', files: ['/envs/p/lib/python3.11/site-packages/p.pth'] },
    'Gate "test" tests your checkout, and not the work: what it imports is found by /envs/p/lib/python3.11/site-packages/p.pth, and the work lies in another folder. Install into an environment in the repository that git ignores (python3 -m venv .venv), or run it in the box (why it is off: ralph doctor).',
  ],
  [
    {
      gates: [
        { name: 'test', box: false },
        { name: 'more', box: false },
      ],
      kind: 'imports',
      files: ['/envs/p/p.pth'],
    },
    'Gates "test", "more" test your checkout, and not the work: what they import is found by /envs/p/p.pth, and the work lies in another folder. Install into an environment in the repository that git ignores (python3 -m venv .venv), or run them without box = false for them.',
  ],
  [
    { gates: ONE, kind: 'built', files: ['a/dist', 'b/dist', 'c/dist', 'd/dist'] },
    'Gate "test" tests a/dist, b/dist, c/dist and 1 more, and not the work: that was built before. Build it in the gate before the tests, as in "npm run build && npm test".',
  ],
  [
    { gates: ONE, kind: 'apart', files: [] },
    'Gate "test" tests something else, and not the work: with all files of the copy broken, the same tests pass. Have the gate run its tests in the folder that it is started in.',
  ],
])('%j: names what is tested, and what helps', (tested, text) => {
  expect(testedElsewhereText(tested)).toBe(text);
});

describe('which files are broken', () => {
  it.each([
    ...['src/pkg/clamp.py', 'clamp.ts', 'lib/x.rb', 'src/App.vue', 'main.go', 'lib.lua', 'scripts/gen.mjs'],
  ])('production code: %s', (path) =>
    expect([isProduction(path), mayRunInTests(path)]).toEqual([true, true]),
  );

  it.each(['tests/test_clamp.py', 'src/clamp.test.ts', 'tests/conftest.py', 'README.md', 'cases/one.yaml'])(
    'what only tests may be in, or read: %s',
    (path) => expect([isProduction(path), mayRunInTests(path)]).toEqual([false, true]),
  );

  it.each([
    ...[
      'package.json',
      'setup.py',
      'vitest.config.ts',
      'tailwind.config.js',
      'p.gemspec',
      'Gemfile',
      'Makefile',
    ],
    ...['Cargo.lock', 'types.d.ts', '.ralph/ralph.toml', '.github/workflows/ci.yml'],
  ])('settings, or no code: %s', (path) =>
    expect([isProduction(path), mayRunInTests(path)]).toEqual([false, false]),
  );

  it('code that a tool made is apart from what it was made of', () => {
    expect(['dist/index.js', 'src/index.js', 'Cargo.lock', 'vendor/a.json'].map(isGenerated)).toEqual([
      ...[true, false, false, false],
    ]);
    expect(isProduction('dist/index.js')).toBe(false);
  });

  it('what stands outside of a tag is text, and no error', () => {
    expect(unloadable('a.php').text).toMatch(/^<\?php \)\(/);
    expect(unloadable('a.vue').text).toMatch(/^<script>\)\(.*\n<\/script>\n$/);
    expect(unloadable('a.py').text).toMatch(/^\)\(/);
  });
});

it.each([
  ['cd /clone && npm test', '/home/me', ['/clone']],
  ['npm --prefix=/clone test', '', ['/clone']],
  ['make -C "/clone" test', '', ['/clone']],
  ['cd /copy/packages/a && npm test', 'rootdir: /copy/packages/a', []],
  [
    'npm test',
    ' RUN  v5.0.0 /work/other\n at file:///work/other/a.test.js:3:1',
    ['/work/other', '/work/other/a.test.js'],
  ],
  ['pytest', 'rootdir: /copy\nand/or, 1/2', []],
])('where tests may have run: %s, %s', (run, output, folders) => {
  expect(foldersNamed({ run, output }, '/copy')).toEqual(folders);
});
