/** @module-tag slow */

import { expect, it } from 'vitest';
import { PACKAGE, playShell, put, type ShellWork, testsOf } from '../helpers/shell-work.ts';

const A = {
  'src/a.cjs': 'exports.a = () => 1;\n',
  'test/a.test.cjs': testsOf(
    "const { a } = require('../src/a.cjs');",
    "test('a is one', () => assert.equal(a(), 1));",
  ),
};
const SLUG = "exports.slug = (text) => text.trim().toLowerCase().replace(/ +/g, '-');\n";
const slugTest = (body: string) =>
  put(
    'test/slug.test.cjs',
    testsOf("const fs = require('node:fs');\nconst slug = require('../src/slug.cjs');", body),
  );
const WRITE: Pick<ShellWork, 'task' | 'files'> = {
  task: 'Write src/slug.cjs: `slug` of " A b" is "a-b", with a test',
  files: A,
};
const VAT = {
  'src/vat.cjs': 'exports.vat = (net) => net;\n',
  'test/vat.test.cjs': testsOf(
    "const { vat } = require('../src/vat.cjs');",
    "test('vat of one', () => assert.equal(vat(1), 1.19));",
  ),
};

it.concurrent.each<[string, ShellWork, string]>([
  [
    'its test only needs the file to be there',
    {
      ...WRITE,
      agent: put('src/slug.cjs', SLUG) + slugTest("test('slug is there', () => assert.ok(slug));"),
    },
    "can't even be loaded",
  ],
  [
    'its test reads the text of the code',
    {
      ...WRITE,
      files: { ...A, 'src/slug.cjs': 'exports.other = () => 0;\n' },
      agent:
        put('src/slug.cjs', SLUG) +
        slugTest(
          "test('slug is written', () => assert.match(fs.readFileSync('src/slug.cjs', 'utf8'), /slug/));",
        ),
    },
    'pass with broken code, too',
  ],
  [
    'failing tests are repeated more often',
    {
      ...WRITE,
      agent:
        put('src/slug.cjs', SLUG) +
        slugTest("test('slug', () => assert.equal(slug.slug(' A b'), 'a-b'));") +
        put('.mocharc.json', '{ "retries": 3 }\n'),
    },
    'raises how often failing tests are repeated (.mocharc.json)',
  ],
  [
    'a stub with a note stands for it',
    {
      task: 'vat of one is 1.19, and of each other sum 19 % more',
      files: VAT,
      agent: put(
        'src/vat.cjs',
        'exports.vat = (net) => {\n  // TODO: all others\n  return net > 0 ? 1.19 : 0;\n};\n',
      ),
    },
    'a stub stands for the work: src/vat.cjs:1',
  ],
])('work has the grade "gates" where %s', async (_what, work, why) => {
  const { proof, text } = await playShell(work);
  expect(proof.grade, text).toBe('gates');
  expect(text).toContain(why);
});

it('work has the grade "gates" where a loader answers its test', async () => {
  const agent =
    put('src/slug.cjs', 'exports.slug = (text) => text;\n') +
    slugTest("test('slug', () => assert.equal(slug.slug(' A b'), 'a-b'));") +
    put('package.json', PACKAGE.replace('node --test', 'node --require ./prepare.cjs --test')) +
    put('prepare.cjs', "require('./src/slug.cjs').slug = () => 'a-b';\n");
  const { proof, text } = await playShell({ ...WRITE, agent });
  expect(proof.grade, text).toBe('gates');
});

it.concurrent.each<[string, ShellWork]>([
  [
    'its test is of a file that is new',
    {
      ...WRITE,
      agent:
        put('src/slug.cjs', SLUG) + slugTest("test('slug', () => assert.equal(slug.slug(' A b'), 'a-b'));"),
    },
  ],
  [
    'the test was there, and it computes',
    {
      task: 'vat of one is 1.19, and of each other sum 19 % more',
      files: VAT,
      agent: put('src/vat.cjs', '// TODO: other countries\nexports.vat = (net) => (net * 119) / 100;\n'),
    },
  ],
])('work has the grade "tests" where %s', async (_what, work) => {
  const { proof, text, verdict } = await playShell(work);
  expect(verdict, text).toBe('done');
  expect(proof.grade, text).toBe('tests');
});
