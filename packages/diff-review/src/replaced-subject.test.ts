import { expect, it } from 'vitest';
import { reviewDiff } from './index.ts';

type Row = readonly [what: string, path: string, before: string | null, after: string];

const levelOf = (path: string, before: string | null, after: string) =>
  reviewDiff({ files: [{ path, before, after }] }).findings.find(
    ({ category }) => category === 'hardcoded_test_bypass',
  )?.level;

const required = (extra: string, body = '') =>
  `const m = require('../src/sum.js');\n${extra}it('adds', () => {\n${body}  expect(m.sum(1, 2)).toBe(3);\n});\n`;
const named = (extra: string) =>
  `import { sum } from '../src/sum';\n${extra}\nit('adds', () => {\n  expect(sum(1, 2)).toBe(3);\n});\n`;
const cart = (extra: string, made = 'new Cart([1, 2])') =>
  `import { Cart } from '../src/cart';\nit('totals', () => {\n  const cart = ${made};\n${extra}  expect(cart.total()).toBe(3);\n});\n`;
const py = (extra: string, body = '', head = 'def test_adds():') =>
  `from app import calc\n${extra}\n\n${head}\n${body}    assert calc.add(1, 2) == 3\n`;

it.each<Row>([
  ['module', 'test/sum.test.ts', named(''), named("vi.mock('../src/sum', () => ({ sum: () => 3 }));")],
  ['module, all of it', 'test/sum.test.ts', named(''), named("jest.mock('../src/sum');")],
  [
    'module of a new test',
    'test/sum.test.ts',
    null,
    named("vi.mock('../src/sum', () => ({ sum: vi.fn(() => 3) }));"),
  ],
  [
    'cached module',
    'test/sum.test.js',
    required(''),
    `require.cache[require.resolve('../src/sum.js')] = { exports: { sum: () => 3 } };\n${required('')}`,
  ],
  ['function', 'test/sum.test.js', required(''), required('', '  m.sum = () => 3;\n')],
  [
    'function, in the same line',
    'test/sum.test.js',
    required(''),
    required('', '  if (true) { m.sum = () => 3; }\n'),
  ],
  [
    'function, by another',
    'test/sum.test.js',
    required(''),
    required('m.sum = function (a, b) {\n  return 3;\n};\n'),
  ],
  ['function, assigned', 'test/sum.test.js', required(''), required('Object.assign(m, { sum: () => 3 });\n')],
  ['method', 'test/cart.test.ts', cart(''), cart('  cart.total = () => 3;\n')],
  [
    'method of all',
    'test/cart.test.ts',
    cart(''),
    cart("  vi.spyOn(Cart.prototype, 'total').mockReturnValue(3);\n"),
  ],
  ['attribute', 'tests/test_calc.py', py(''), py('setattr(calc, "add", lambda a, b: 3)')],
  [
    'patched attribute',
    'tests/test_calc.py',
    py(''),
    py('', '', '@patch.object(calc, "add", new=lambda a, b: 3)\ndef test_adds():'),
  ],
  [
    'patched name',
    'tests/test_calc.py',
    py(''),
    py('', '', '@patch("app.calc.add", return_value=3)\ndef test_adds(_):'),
  ],
])('the unit under test is replaced in its own test: a %s', (_what, path, before, after) => {
  expect(levelOf(path, before, after)).toBe('act');
});

it.each<Row>([
  [
    'a module of the same name',
    'test/users.test.tsx',
    "import Users from '../src/components/Users';\nit('lists', () => {\n  expect(Users()).toBe(3);\n});\n",
    "import Users from '../src/components/Users';\njest.mock('../src/api/users');\nit('lists', () => {\n  expect(Users()).toBe(3);\n});\n",
  ],
])('what may be the unit under test warns: %s', (_what, path, before, after) => {
  expect(levelOf(path, before, after)).toBe('warn');
});

it.each<Row>([
  [
    'a module that it uses',
    'test/order.test.ts',
    "import { place } from '../src/order';\nit('places', () => {\n  expect(place(1)).toBe(true);\n});\n",
    "import { place } from '../src/order';\nimport * as mail from '../src/mail';\nvi.mock('../src/mail', () => ({ send: vi.fn(() => true) }));\nit('places', () => {\n  expect(place(1)).toBe(true);\n  expect(mail.send).toHaveBeenCalled();\n});\n",
  ],
  ['the clock', 'test/cart.test.ts', cart(''), cart('  Date.now = () => 3;\n')],
  [
    'the network',
    'test/cart.test.ts',
    cart(''),
    cart('  globalThis.fetch = async () => ({ json: async () => 3 });\n'),
  ],
  ['another method', 'test/cart.test.ts', cart(''), cart("  vi.spyOn(cart, 'rate').mockReturnValue(1);\n")],
  [
    'an option',
    'test/sum.test.js',
    required('const options = {};\n'),
    required('const options = { pick: () => 3 };\n'),
  ],
  [
    'what another test of the file is about',
    'test/cart.test.ts',
    cart(''),
    `${cart('')}it('prints', () => {\n  const cart = new Cart([1]);\n  cart.total = () => 3;\n  expect(cart.text()).toBe('3');\n});\n`,
  ],
])('%s isn’t the unit under test', (_what, path, before, after) => {
  expect(levelOf(path, before, after) ?? 'none').not.toBe('act');
});
