import { mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { homesFolder } from 'ralph-kit/files/homes-folder';
import { describe, expect, it } from 'vitest';
import { readModules } from '../../../src/io/modules/index.ts';
import { hostOf } from '../../helpers/modules.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

type Files = Readonly<Record<string, string>>;

/** A module for everything that can be imported, and what is imported. */
const FILES: Files = {
  'package.json': '{"type":"module","imports":{"#words":"./lib/words.js"},"dependencies":{"plain":"1"}}',
  'handlers/mine.js': `import one from '../lib/one.js';
import words from '#words';
import data from './data.json' with { type: 'json' };
import { readFileSync } from 'node:fs';
import { plain } from 'plain';
import scoped from "@team/scoped/sub.js";
import old from './old.cjs';
const text = readFileSync(new URL('./list.txt', import.meta.url), 'utf8').trim();
export const detect = async () => {
  const { late } = await import('./late.js');
  return { values: [one, words, data.word, plain, scoped, old, text, late].join(' ') };
};
`,
  'handlers/data.json': '{"word":"data"}',
  'handlers/list.txt': 'list\n',
  'handlers/late.js': "export const late = 'late';\n",
  'handlers/old.cjs': "const { inner } = require('../lib/inner');\nmodule.exports = 'old' + inner;\n",
  'lib/one.js': "export { default } from './two.js';\n",
  'lib/two.js': "export default 'one';\n",
  'lib/words.js': "export default 'words';\n",
  'lib/inner.json': '{"inner":"+inner"}',
  'node_modules/plain/package.json': '{"name":"plain","main":"main.js","dependencies":{"below":"1"}}',
  'node_modules/plain/main.js': "exports.plain = 'plain' + require('below')[['say', ''].join('')]();\n",
  'node_modules/below/package.json': '{"name":"below"}',
  'node_modules/below/index.js': "exports.say = () => require('./lib/' + 'below.js');\n",
  'node_modules/below/lib/below.js': "module.exports = '+below';\n",
  'node_modules/@team/scoped/package.json': '{"name":"@team/scoped","type":"module"}',
  'node_modules/@team/scoped/sub.js': "export default 'scoped';\n",
  'node_modules/other/package.json': '{"name":"other"}',
  'src/app.js': "export const app = 'not imported';\n",
};
const VALUES = 'one words data plain+below scoped old+inner list late';
const MINE = './handlers/mine.js';

function folderWith(files: Files): string {
  const root = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const detected = (root: string, module = MINE) =>
  hostOf(root, [module]).ask(module, { kind: 'function', name: 'detect' }, null, { wallMs: 30_000 });

const digests = (root: string) =>
  Object.fromEntries(
    readModules([MINE], root)
      .partsOf(MINE)
      .map((part) => [part.name, part.sha256]),
  );

describe('a module with all that it imports', () => {
  it('is read by each file of the repository, and each package as a whole', () => {
    expect(Object.keys(digests(folderWith(FILES))).toSorted()).toEqual([
      'handlers/data.json',
      'handlers/late.js',
      'handlers/list.txt',
      'handlers/mine.js',
      'handlers/old.cjs',
      'lib/inner.json',
      'lib/one.js',
      'lib/two.js',
      'lib/words.js',
      'node_modules/@team/scoped',
      'node_modules/below',
      'node_modules/plain',
      'package.json (type, imports)',
    ]);
  });

  it('runs from its copy', async () => {
    expect(await detected(folderWith(FILES))).toEqual({ kind: 'value', value: { values: VALUES } });
  });

  it('is the one that was read: what is changed, replaced or removed afterwards is not loaded', async () => {
    const root = folderWith(FILES);
    const host = hostOf(root, [MINE]);
    for (const path of Object.keys(FILES)) unlinkSync(join(root, path));
    renameSync(join(root, 'node_modules'), join(root, 'gone'));
    const reply = await host.ask(MINE, { kind: 'function', name: 'detect' }, null, { wallMs: 30_000 });
    expect(reply).toEqual({ kind: 'value', value: { values: VALUES } });
  });

  it.each(Object.keys(FILES).filter((path) => !/^(?:src|node_modules\/other|package\.json)/.test(path)))(
    'is another one when %s is',
    (path) => {
      const before = digests(folderWith(FILES));
      const after = digests(folderWith({ ...FILES, [path]: `${FILES[path]} ` }));
      expect(Object.keys(after).filter((name) => after[name] !== before[name])).toHaveLength(1);
    },
  );

  it('is the same when something else changes, in package.json, too', () => {
    const other = { ...FILES, 'src/app.js': 'else', 'node_modules/other/package.json': '{}' };
    const json = FILES['package.json']?.replace('"plain":"1"', '"plain":"1","next":"2"') ?? '';
    expect(digests(folderWith({ ...other, 'package.json': json }))).toEqual(digests(folderWith(FILES)));
  });

  it('is another one with a file more in a package', () => {
    const more = { ...FILES, 'node_modules/below/lib/other.js': '' };
    expect(digests(folderWith(more))).not.toEqual(digests(folderWith(FILES)));
  });

  it('may be reached by links, as pnpm and workspaces make them', async () => {
    const root = folderWith({
      'handlers/mine.mjs': "import { middle } from 'middle';\nexport const detect = () => ({ middle });\n",
      'node_modules/.pnpm/middle@1/node_modules/middle/package.json': '{"dependencies":{"deep":"1"}}',
      'node_modules/.pnpm/middle@1/node_modules/middle/index.js': "exports.middle = require('deep');\n",
      'packages/deep/package.json': '{"name":"deep"}',
      'packages/deep/index.js': "module.exports = 'deep';\n",
    });
    symlinkSync('.pnpm/middle@1/node_modules/middle', join(root, 'node_modules/middle'));
    symlinkSync('../../../../packages/deep', join(root, 'node_modules/.pnpm/middle@1/node_modules/deep'));
    symlinkSync('handlers', join(root, 'rules'));
    expect(await detected(root, 'rules/mine.mjs')).toEqual({ kind: 'value', value: { middle: 'deep' } });
  });
});

describe('a module is refused', () => {
  const problemOf = (files: Files, name = 'mine.mjs') => readModules([name], folderWith(files)).problems;

  it.each<[string, Files, RegExp]>([
    ['that is not there', {}, /^mine\.mjs: it can't be read: it doesn't exist$/],
    ['that is a folder', { 'mine.mjs/a.txt': '' }, /^mine\.mjs: it can't be read: it is a folder$/],
    [
      'that names a file by its absolute path',
      { 'mine.mjs': `import x from '${import.meta.filename}';` },
      /^mine\.mjs: mine\.mjs imports \/.*: use a path that begins with \.\/ or \.\.\/$/,
    ],
  ])('%s', (_what, files, problem) => expect(problemOf(files)).toEqual([expect.stringMatching(problem)]));

  it('that lies, or imports what lies, where agents write', () => {
    const root = folderWith({ 'mine.mjs': "import './agents/helper.mjs';\n" });
    const agents = join(homesFolder(), 'x', 'agents');
    mkdirSync(agents, { recursive: true });
    writeFileSync(join(agents, 'helper.mjs'), '');
    symlinkSync(agents, join(root, 'agents'));
    expect(readModules(['mine.mjs'], root).problems).toEqual([
      expect.stringMatching(
        /helper\.mjs lies in what ralph keeps for agents and gates, where agents can write$/,
      ),
    ]);
  });

  it("a word that only looks like an import isn't one", () => {
    expect(problemOf({ 'mine.mjs': "// import './none.mjs' from 'nowhere'\nexport default [];\n" })).toEqual(
      [],
    );
  });

  it('what is imported and not there fails when it is loaded', async () => {
    const root = folderWith({ 'mine.mjs': "import './none.mjs';\nexport const detect = () => null;\n" });
    expect(await detected(root, 'mine.mjs')).toMatchObject({
      kind: 'failed',
      why: expect.stringContaining(`Cannot find module '${join(root, 'none.mjs')}'`),
    });
  });
});
