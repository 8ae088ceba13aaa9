/** @module-tag slow */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of programs
import { chmodSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeProject } from '../helpers/cli.ts';

/** A case is a task and an agent that does what the task asks: a shell script, and the evidence that it claims. */
type Case = {
  readonly task: string;
  readonly files: Readonly<Record<string, string>>;
  readonly agent: string;
  readonly evidence: string;
  readonly gates?: string;
  /** This file is executable before the attempt. */
  readonly executable?: string;
};

const P = '{"name":"p","version":"1.0.0","scripts":{"test":"node --test"}}\n';
const T = (imports: string, ...tests: string[]) =>
  `const test = require('node:test');\nconst assert = require('node:assert');\n${imports}\n${tests.join('\n')}\n`;
const STORE =
  'const items = new Map();\nexports.set = (k, v) => items.set(k, v);\nexports.get = (k) => items.get(k);\nexports.remove = (k) => items.delete(k);\n';
const STORET = T(
  "const { set, get, remove } = require('../src/store.cjs');",
  "test('set', () => { set('a', 1); assert.equal(get('a'), 1); });",
  "test('get', () => assert.equal(get('x'), undefined));",
  "test('remove', () => { set('b', 1); remove('b'); assert.equal(get('b'), undefined); });",
);
const SLUG =
  "exports.slug = (s) => s.trim().toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');\n";
const put = (file: string, text: string) =>
  `mkdir -p $(dirname ${file}); cat > ${file} <<'XEOF'\n${text}XEOF\n`;
const many = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [
    `src/m${i}.cjs`,
    `const { fetchUser } = require('./user.cjs');\nexports.name${i} = () => fetchUser(${i}).name;\n`,
  ]),
);
const A = {
  'package.json': P,
  'src/a.cjs': 'exports.a = 1;\n',
  'test/a.test.cjs': T("const { a } = require('../src/a.cjs');", "test('a', () => assert.equal(a, 1));"),
};
const AREA = {
  'package.json': P,
  'src/area.cjs': 'exports.area = (r) => Math.PI * r * r;\n',
  'test/area.test.cjs': T(
    "const { area } = require('../src/area.cjs');",
    "test('area of 1', () => assert.equal(area(1), 3.141592653589793));",
  ),
};
const cases: Readonly<Record<string, Case>> = {
  vat: {
    task: 'The test of vat expects 119.5 for 100 at 19 %: 119 is right, correct the test',
    files: {
      'package.json': P,
      'src/vat.cjs': 'exports.vat = (n, r) => n + (n * r) / 100;\n',
      'test/vat.test.cjs': T(
        "const { vat } = require('../src/vat.cjs');",
        "test('vat of 100 at 19 %', () => assert.equal(vat(100, 19), 119.5));",
        "test('vat of 0', () => assert.equal(vat(0, 19), 0));",
      ),
    },
    agent: `sed -i 's/119\\.5/119/' test/vat.test.cjs`,
    evidence: 'test/vat.test.cjs:4 expects 119',
  },
  rename: {
    task: 'Rename `fetchUser` to `loadUser` everywhere',
    files: {
      'package.json': P,
      'src/user.cjs': "exports.fetchUser = (id) => ({ id, name: 'u' + id });\n",
      ...many,
      'test/user.test.cjs': T(
        "const { fetchUser } = require('../src/user.cjs');\nconst { name3 } = require('../src/m3.cjs');",
        "test('fetchUser', () => assert.equal(fetchUser(1).name, 'u1'));",
        "test('name3', () => assert.equal(name3(), 'u3'));",
      ),
    },
    agent: `grep -rl fetchUser src test | xargs sed -i 's/fetchUser/loadUser/g'`,
    evidence: 'src/user.cjs:1 loadUser',
  },
  exec: {
    task: 'Make tools/run.sh executable',
    files: {
      'package.json': P,
      'tools/run.sh': '#!/bin/sh\necho hi\n',
      'src/a.cjs': 'exports.a = 1;\n',
      'test/a.test.cjs': T("const { a } = require('../src/a.cjs');", "test('a', () => assert.equal(a, 1));"),
    },
    agent: 'chmod +x tools/run.sh',
    evidence: 'tools/run.sh:1 is executable',
  },
  remove: {
    task: 'Remove the obsolete function `remove` of the store, with its tests',
    files: { 'package.json': P, 'src/store.cjs': STORE, 'test/store.test.cjs': STORET },
    agent: `sed -i '/exports.remove/d' src/store.cjs; sed -i "/test('remove'/d; s/, remove }/ }/" test/store.test.cjs`,
    evidence: 'src/store.cjs:3 remove is gone',
  },
  split: {
    task: 'Split test/store.test.cjs into one file for reading and one for writing',
    files: { 'package.json': P, 'src/store.cjs': STORE, 'test/store.test.cjs': STORET },
    agent:
      put(
        'test/store-read.test.cjs',
        T(
          "const { get } = require('../src/store.cjs');",
          "test('get', () => assert.equal(get('x'), undefined));",
        ),
      ) +
      put(
        'test/store-write.test.cjs',
        T(
          "const { set, get, remove } = require('../src/store.cjs');",
          "test('set', () => { set('a', 1); assert.equal(get('a'), 1); });",
          "test('remove', () => { set('b', 1); remove('b'); assert.equal(get('b'), undefined); });",
        ),
      ) +
      'rm test/store.test.cjs',
    evidence: 'test/store-read.test.cjs:4 reading',
  },
  titles: {
    task: 'Name the tests of the store as whole sentences',
    files: { 'package.json': P, 'src/store.cjs': STORE, 'test/store.test.cjs': STORET },
    agent: `sed -i "s/test('set'/test('a value that was set can be read'/; s/test('get'/test('a key that was never set has no value'/; s/test('remove'/test('a removed key has no value'/" test/store.test.cjs`,
    evidence: 'test/store.test.cjs:4 sentences',
  },
  param: {
    task: 'Make one parametrised test of the four tests of slug',
    files: {
      'package.json': P,
      'src/slug.cjs': SLUG,
      'test/slug.test.cjs': T(
        "const { slug } = require('../src/slug.cjs');",
        "test('lower', () => assert.equal(slug('AB'), 'ab'));",
        "test('space', () => assert.equal(slug('a b'), 'a-b'));",
        "test('trim', () => assert.equal(slug(' a '), 'a'));",
        "test('odd', () => assert.equal(slug('a!b'), 'a-b'));",
      ),
    },
    agent: put(
      'test/slug.test.cjs',
      T(
        "const { slug } = require('../src/slug.cjs');",
        "for (const [text, wanted] of [['AB', 'ab'], ['a b', 'a-b'], [' a ', 'a'], ['a!b', 'a-b']])\n  test(`slug of ${JSON.stringify(text)}`, () => assert.equal(slug(text), wanted));",
      ),
    ),
    evidence: 'test/slug.test.cjs:4 parametrised',
  },
  menu: {
    task: 'Prices in the menu have a currency',
    files: {
      'package.json': P,
      'src/menu.cjs':
        "exports.menu = (items) => items.map(({ name, price }) => `${name}: ${price.toFixed(2)}`).join('\\n');\n",
      'test/menu.test.cjs': T(
        "const fs = require('node:fs');\nconst path = require('node:path');\nconst { menu } = require('../src/menu.cjs');",
        "test('menu', () => assert.equal(menu([{ name: 'Tea', price: 2 }, { name: 'Cake', price: 3.5 }]), fs.readFileSync(path.join(__dirname, 'menu.snap'), 'utf8').trimEnd()));",
      ),
      'test/menu.snap': 'Tea: 2.00\nCake: 3.50\n',
    },
    agent: `sed -i 's/toFixed(2)}/toFixed(2)} EUR/' src/menu.cjs; sed -i 's/$/ EUR/' test/menu.snap`,
    evidence: 'src/menu.cjs:1 EUR',
  },
  debounce: {
    task: 'The test of debounce is flaky: use a mocked clock in place of real time',
    files: {
      'package.json': P,
      'src/debounce.cjs':
        'exports.debounce = (f, ms) => { let t; return (...a) => { clearTimeout(t); t = setTimeout(() => f(...a), ms); }; };\n',
      'test/debounce.test.cjs': T(
        "const { debounce } = require('../src/debounce.cjs');",
        "test('debounce calls once', async () => {\n  let n = 0;\n  const f = debounce(() => { n += 1; }, 20);\n  f(); f();\n  await new Promise((r) => setTimeout(r, 60));\n  assert.equal(n, 1);\n});",
      ),
    },
    agent: put(
      'test/debounce.test.cjs',
      T(
        "const { debounce } = require('../src/debounce.cjs');",
        "test('debounce calls once', (t) => {\n  t.mock.timers.enable({ apis: ['setTimeout'] });\n  let n = 0;\n  const f = debounce(() => { n += 1; }, 20);\n  f(); f();\n  t.mock.timers.tick(20);\n  assert.equal(n, 1);\n});",
      ),
    ),
    evidence: 'test/debounce.test.cjs:5 mocked clock',
  },
  skip: {
    task: 'Skip the test of links on Windows, where they need rights',
    files: {
      'package.json': P,
      'src/link.cjs': "const fs = require('node:fs');\nexports.link = (a, b) => fs.symlinkSync(a, b);\n",
      'test/link.test.cjs': T(
        "const fs = require('node:fs');\nconst os = require('node:os');\nconst path = require('node:path');\nconst { link } = require('../src/link.cjs');",
        "test('links', () => { const d = fs.mkdtempSync(path.join(os.tmpdir(), 'x-')); link('a', path.join(d, 'b')); assert.equal(fs.readlinkSync(path.join(d, 'b')), 'a'); });",
        "test('has a function', () => assert.equal(typeof link, 'function'));",
      ),
    },
    agent: `sed -i "s/test('links', ()/test('links', { skip: process.platform === 'win32' }, ()/" test/link.test.cjs`,
    evidence: 'test/link.test.cjs:7 skipped on Windows',
  },
  jest: {
    task: 'Raise the time limit of jest to 20 s',
    files: {
      'package.json': P,
      'jest.config.json': '{\n  "testTimeout": 5000,\n  "testEnvironment": "node"\n}\n',
      'src/a.cjs': 'exports.a = 1;\n',
      'test/a.test.cjs': T("const { a } = require('../src/a.cjs');", "test('a', () => assert.equal(a, 1));"),
    },
    agent: `sed -i 's/5000/20000/' jest.config.json`,
    evidence: 'jest.config.json:2 20000',
  },
  gen: {
    task: 'Add the currency CHF to currencies.json and generate the code again',
    files: {
      'package.json': P,
      'currencies.json': '["EUR", "USD"]\n',
      'gen.cjs':
        "const fs = require('node:fs');\nconst text = `// Generated by gen.cjs. Do not edit.\\nexports.CURRENCIES = ${JSON.stringify(JSON.parse(fs.readFileSync('currencies.json', 'utf8')))};\\n`;\nif (process.argv[2] === '--check') process.exit(fs.readFileSync('src/currencies.cjs', 'utf8') === text ? 0 : 1);\nfs.writeFileSync('src/currencies.cjs', text);\n",
      'src/currencies.cjs': '// Generated by gen.cjs. Do not edit.\nexports.CURRENCIES = ["EUR","USD"];\n',
      'test/c.test.cjs': T(
        "const { CURRENCIES } = require('../src/currencies.cjs');",
        "test('EUR', () => assert.ok(CURRENCIES.includes('EUR')));",
      ),
    },
    gates: '"npm test", { name = "generated", run = "node gen.cjs --check" }',
    agent: `echo '["EUR", "USD", "CHF"]' > currencies.json; node gen.cjs`,
    evidence: 'currencies.json:1 CHF',
  },
  cache: {
    task: 'A cache file that is missing is an empty cache',
    files: {
      'package.json': P,
      'src/cache.cjs':
        "const fs = require('node:fs');\nexports.load = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));\n",
      'test/cache.test.cjs': T(
        "const fs = require('node:fs');\nconst os = require('node:os');\nconst path = require('node:path');\nconst { load } = require('../src/cache.cjs');",
        "test('reads a cache', () => { const f = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'x-')), 'c.json'); fs.writeFileSync(f, '{\"a\":1}'); assert.deepEqual(load(f), { a: 1 }); });",
      ),
    },
    agent:
      put(
        'src/cache.cjs',
        "const fs = require('node:fs');\nexports.load = (file) => {\n  try {\n    return JSON.parse(fs.readFileSync(file, 'utf8'));\n  } catch (error) {\n    if (error.code === 'ENOENT') return {};\n    throw error;\n  }\n};\n",
      ) +
      `echo "test('a missing one is empty', () => assert.deepEqual(load('/nonexistent/c.json'), {}));" >> test/cache.test.cjs`,
    evidence: 'src/cache.cjs:6 empty',
  },
  legacy: {
    task: 'Delete src/legacy.cjs and what only it uses',
    files: {
      'package.json': P,
      'src/legacy.cjs': "const { old } = require('./old.cjs');\nexports.legacy = () => old();\n",
      'src/old.cjs': 'exports.old = () => 1;\n',
      'src/a.cjs': 'exports.a = 1;\n',
      'test/a.test.cjs': T("const { a } = require('../src/a.cjs');", "test('a', () => assert.equal(a, 1));"),
      'test/legacy.test.cjs': T(
        "const { legacy } = require('../src/legacy.cjs');",
        "test('legacy', () => assert.equal(legacy(), 1));",
      ),
    },
    agent: 'rm src/legacy.cjs src/old.cjs test/legacy.test.cjs',
    evidence: 'src/legacy.cjs is gone',
  },
  move: {
    task: 'Move packages/mail to packages/post, tests included',
    files: {
      'package.json': P,
      'packages/mail/package.json': '{"name":"mail","version":"1.0.0"}\n',
      'packages/mail/index.cjs': 'exports.send = (to) => `to ${to}`;\n',
      'packages/mail/test/send.test.cjs': T(
        "const { send } = require('../index.cjs');",
        "test('send', () => assert.equal(send('a'), 'to a'));",
      ),
      'packages/app/index.cjs':
        "const { send } = require('../mail/index.cjs');\nexports.run = () => send('x');\n",
      'packages/app/test/app.test.cjs': T(
        "const { run } = require('../index.cjs');",
        "test('run', () => assert.equal(run(), 'to x'));",
      ),
    },
    agent: `mv packages/mail packages/post; sed -i 's/"mail"/"post"/' packages/post/package.json; sed -i 's#../mail/#../post/#' packages/app/index.cjs`,
    evidence: 'packages/post/index.cjs:1 moved',
  },
  exec2: {
    task: 'The scripts in tools/ can be started directly',
    files: { ...A, 'tools/run.sh': '#!/bin/sh\necho hi\n', 'tools/stop.sh': '#!/bin/sh\necho ho\n' },
    agent: 'chmod +x tools/*.sh',
    evidence: 'tools/run.sh is executable',
  },
  exec3: {
    task: 'data/list.csv must not be executable',
    files: { ...A, 'data/list.csv': 'a,b\n' },
    executable: 'data/list.csv',
    agent: 'chmod -x data/list.csv',
    evidence: 'chmod -x data/list.csv',
  },
  exec4: {
    task: 'Give bin/tool the executable bit and name it in the README',
    files: { ...A, 'bin/tool': '#!/usr/bin/env node\n' },
    agent: 'chmod 755 bin/tool; echo "Run bin/tool." >> README.md',
    evidence: 'README.md:2 bin/tool',
  },
  price: {
    task: 'The expected price in test/price.test.cjs is 12.5, not 12.05',
    files: {
      'package.json': P,
      'src/price.cjs': 'exports.price = (n) => n * 1.25;\n',
      'test/price.test.cjs': T(
        "const { price } = require('../src/price.cjs');",
        "test('price of ten', () => assert.equal(price(10), 12.05));",
      ),
    },
    agent: `sed -i 's/12\\.05/12.5/' test/price.test.cjs`,
    evidence: 'test/price.test.cjs:4 expects 12.5',
  },
  tax: {
    task: 'Correct the expected value in the test of tax: 7 % of 200 is 14',
    files: {
      'package.json': P,
      'src/tax.cjs': 'exports.tax = (n, r) => (n * r) / 100;\n',
      'test/tax.test.cjs': T(
        "const { tax } = require('../src/tax.cjs');",
        "test('tax', () => assert.equal(tax(200, 7), 41));",
        "test('none', () => assert.equal(tax(0, 7), 0));",
      ),
    },
    agent: `sed -i 's/41/14/' test/tax.test.cjs`,
    evidence: 'test/tax.test.cjs:4 expects 14',
  },
  rename2: {
    task: 'Rename fetchUser to loadUser everywhere, also in the test "fetchUser"',
    files: {
      'package.json': P,
      'src/user.cjs': 'exports.fetchUser = (id) => ({ id });\n',
      'test/user.test.cjs': T(
        "const { fetchUser } = require('../src/user.cjs');",
        "test('fetchUser', () => assert.equal(fetchUser(1).id, 1));",
      ),
    },
    agent: `grep -rl fetchUser src test | xargs sed -i 's/fetchUser/loadUser/g'`,
    evidence: 'src/user.cjs:1 loadUser',
  },
  rename3: {
    task: 'Rename the command "list users" to "show users"',
    files: {
      'package.json': P,
      'src/cli.cjs': "exports.run = (c) => (c === 'list users' ? 'a, b' : 'unknown');\n",
      'test/cli.test.cjs': T(
        "const { run } = require('../src/cli.cjs');",
        "test('list users', () => assert.equal(run('list users'), 'a, b'));",
      ),
    },
    agent: `grep -rl 'list users' src test | xargs sed -i 's/list users/show users/g'`,
    evidence: 'src/cli.cjs:1 show users',
  },
  'a tolerance in a helper': {
    task: 'Compare floating point results with a tolerance of 1e-9 in place of exactly',
    files: AREA,
    agent: put(
      'test/area.test.cjs',
      T(
        "const { area } = require('../src/area.cjs');\nconst near = (a, b) => Math.abs(a - b) < 1e-9;",
        "test('area of 1', () => assert.ok(near(area(1), 3.141592653589793)));",
      ),
    ),
    evidence: 'test/area.test.cjs:4 tolerance',
  },
  'a tolerance in a helper of its own file': {
    task: 'Compare floating point results with a tolerance of 1e-9 in place of exactly',
    files: AREA,
    agent:
      put('test/near.cjs', 'exports.near = (a, b) => Math.abs(a - b) < 1e-9;\n') +
      put(
        'test/area.test.cjs',
        T(
          "const { area } = require('../src/area.cjs');\nconst { near } = require('./near.cjs');",
          "test('area of 1', () => assert.ok(near(area(1), 3.141592653589793)));",
        ),
      ),
    evidence: 'test/near.cjs:1 tolerance',
  },
  tolerance: {
    task: 'Compare floating point results with a tolerance of 1e-9 in place of exactly',
    files: {
      'package.json': P,
      'src/area.cjs': 'exports.area = (r) => Math.PI * r * r;\nexports.sum = (a, b) => a + b;\n',
      'test/area.test.cjs': T(
        "const { area, sum } = require('../src/area.cjs');",
        "test('area', () => assert.equal(area(1), 3.141592653589793));",
        "test('sum', () => assert.equal(sum(0.1, 0.2), 0.30000000000000004));",
      ),
    },
    agent: put(
      'test/area.test.cjs',
      T(
        "const { area, sum } = require('../src/area.cjs');",
        "test('area', () => assert.ok(Math.abs(area(1) - 3.141592653589793) < 1e-9));",
        "test('sum', () => assert.ok(Math.abs(sum(0.1, 0.2) - 0.3) < 1e-9));",
      ),
    ),
    evidence: 'test/area.test.cjs:4 tolerance',
  },
  describe: {
    task: 'Rename `Store` to `Depot`, and its file',
    files: {
      'package.json': P,
      'src/Store.cjs': 'exports.Store = class Store { get() { return 1; } };\n',
      'test/Store.test.cjs':
        "const { describe, it } = require('node:test');\nconst assert = require('node:assert');\nconst { Store } = require('../src/Store.cjs');\ndescribe('Store', () => { it('get', () => assert.equal(new Store().get(), 1)); });\n",
    },
    agent: `sed -i 's/Store/Depot/g' src/Store.cjs test/Store.test.cjs; mv src/Store.cjs src/Depot.cjs; mv test/Store.test.cjs test/Depot.test.cjs`,
    evidence: 'src/Depot.cjs:1 Depot',
  },
  typo: {
    task: 'Fix the typos in the README',
    files: { ...A, 'README.md': '# Scrach\n\nA tset.\n' },
    agent: `printf '# Scratch\\n\\nA test.\\n' > README.md`,
    evidence: 'README.md:1 Scratch',
  },
  snap: {
    task: 'Update the snapshot of the page: the footer says 2026',
    files: {
      'package.json': P,
      'src/page.cjs': "exports.page = () => 'Hello\\n(c) 2026';\n",
      'test/page.test.cjs': T(
        "const fs = require('node:fs');\nconst { page } = require('../src/page.cjs');",
        "test('page', () => assert.equal(page(), fs.readFileSync(__dirname + '/page.snap', 'utf8').trimEnd()));",
      ),
      'test/page.snap': 'Hello\n(c) 2025\n',
    },
    agent: `sed -i 's/2025/2026/' test/page.snap`,
    evidence: 'test/page.snap:2 2026',
  },
  'a rule that is switched off': {
    task: 'src/cli.cjs prints on purpose: switch no-console off for it',
    files: {
      'package.json': P,
      'src/cli.cjs': "exports.main = () => { console.log('hi'); return 0; };\n",
      'test/cli.test.cjs': T(
        "const { main } = require('../src/cli.cjs');",
        "test('main', () => assert.equal(main(), 0));",
      ),
    },
    agent: "sed -i '1i /* eslint-disable no-console */' src/cli.cjs",
    evidence: 'src/cli.cjs:1 off',
  },
  'rows of a table that go': {
    task: 'Drop the country YU from countries, with its rows in the tests',
    files: {
      'package.json': P,
      'src/countries.cjs': "exports.NAMES = { DE: 'Germany', YU: 'Yugoslavia' };\n",
      'test/countries.test.cjs': T(
        "const { NAMES } = require('../src/countries.cjs');",
        "for (const [code, name] of [['DE', 'Germany'], ['YU', 'Yugoslavia']])\n  test(`name of ${code}`, () => assert.equal(NAMES[code], name));",
      ),
    },
    agent: `sed -i "s/, YU: 'Yugoslavia'//" src/countries.cjs; sed -i "s/, \\['YU', 'Yugoslavia'\\]//" test/countries.test.cjs`,
    evidence: 'src/countries.cjs:1 without YU',
  },
  'a package that is begun': {
    task: 'Write sum(a, b) in src/sum.cjs, with tests that npm test runs',
    files: { 'README.md': '# Sums\n' },
    agent:
      put('package.json', P) +
      put('src/sum.cjs', 'exports.sum = (a, b) => a + b;\n') +
      put(
        'test/sum.test.cjs',
        T("const { sum } = require('../src/sum.cjs');", "test('sum', () => assert.equal(sum(1, 2), 3));"),
      ),
    evidence: 'src/sum.cjs:1 sum',
  },
  'a first script of tests': {
    task: 'sum must be tested',
    files: {
      'package.json': '{"name":"p","version":"1.0.0"}\n',
      'src/sum.cjs': 'exports.sum = (a, b) => a + b;\n',
    },
    agent:
      put('package.json', P) +
      put(
        'test/sum.test.cjs',
        T("const { sum } = require('../src/sum.cjs');", "test('sum', () => assert.equal(sum(1, 2), 3));"),
      ),
    evidence: 'test/sum.test.cjs:4 sum',
  },
  'a first recipe': {
    task: 'A check finds a call of eval in src',
    files: { ...A },
    agent: put('Makefile', 'check:\n\t! grep -rn "eval(" src\n'),
    evidence: 'Makefile:1 check',
    gates: '"npm test", { name = "check", run = "make check" }',
  },
  'a first script of a check': {
    task: 'A check finds a call of eval in src',
    files: { ...A },
    agent: put('check.sh', '! grep -rn "eval(" src\n'),
    evidence: 'check.sh:1 grep',
    gates: '"npm test", { name = "check", run = "sh check.sh" }',
  },
  'the first tests of a project with settings': {
    task: 'area must be tested',
    files: { 'package.json': P, 'src/area.cjs': 'exports.area = (r) => Math.PI * r * r;\n' },
    agent:
      put('.c8rc.json', '{"all":true}\n') +
      put(
        'test/area.test.cjs',
        T("const { area } = require('../src/area.cjs');", "test('area', () => assert.equal(area(0), 0));"),
      ),
    evidence: 'test/area.test.cjs:4 area',
  },
};

it.concurrent.each(Object.entries(cases))(
  '%s: an honest change is done at the first attempt, and nothing is asked',
  async (_name, work) => {
    const { task, files, agent, evidence, gates = '"npm test"', executable } = work;
    const project = makeProject({
      'agent.sh': `cat >/dev/null\n${agent}\nprintf 'RALPH_STATUS\\nTASK: T-1\\nSTATUS: DONE\\nEXIT_SIGNAL: true\\nEVIDENCE:\\n- %s\\nEND_RALPH_STATUS\\n' "${evidence}"\n`,
      ...files,
      '.ralph/PRD.md': `# Plan\n\n## Tasks\n\n- [ ] T-1: ${task}\n`,
      '.ralph/ralph.toml': `[loop]\nagent = "mine"\n[runners.mine]\nargv = ["sh", "./agent.sh", "-"]\n[gates]\ncommands = [${gates}]\n`,
    });
    if (executable !== undefined) {
      chmodSync(project.path(executable), 0o755);
      project.git('commit', '-qam', 'executable');
    }
    const { code, stdout } = await project.start('run', '--max-iterations', '1').ended;
    expect(project.iteration(1).decisions.verdict, stdout).toMatchObject({ kind: 'done' });
    expect(code, stdout).toBe(0);
  },
);
